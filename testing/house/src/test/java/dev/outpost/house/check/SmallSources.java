package dev.outpost.house.check;

import dev.outpost.house.source.InMemorySource;
import dev.outpost.house.source.ParsedSources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes sources of a few lines. */
final class SmallSources {
    private SmallSources() {}

    /** One class in the module {@code provider-k8s}; the text is its body. */
    static ParsedSources body(String text) throws IOException {
        return of(Map.of("provider-k8s/src/main/java/p/Sample.java", "package p;\nclass Sample {\n" + text + "\n}\n"));
    }

    /** Sources by path. */
    static ParsedSources of(Map<String, String> texts) throws IOException {
        List<InMemorySource> sources = new ArrayList<>();
        texts.forEach((path, text) -> sources.add(new InMemorySource(path, text)));
        return new ParsedSources(ParsedSources.parse(sources));
    }
}
