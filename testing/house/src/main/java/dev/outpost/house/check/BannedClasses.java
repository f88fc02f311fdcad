package dev.outpost.house.check;

import dev.outpost.house.source.Declaration;
import dev.outpost.house.source.ParsedSources;
import dev.outpost.house.source.SourceFile;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds classes with a banned name, and tests that are named after it. */
record BannedClasses(BannedNames names) implements NameRule {
    private static final String TEST = "Test";

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        return sources.files().stream()
                .flatMap(file -> file.declared(Declaration.Kind.TYPE).flatMap(type -> violation(file, type).stream()));
    }

    private Optional<Violation> violation(SourceFile file, Declaration type) {
        String name = type.name();
        String tested = name.endsWith(TEST) ? name.substring(0, name.length() - TEST.length()) : name;
        return names.find(name, type.owner(), file.module())
                .map(BannedWord::replacement)
                .or(() -> names.find(tested, type.owner(), file.module())
                        .map(BannedWord::replacement)
                        .map(better -> better + TEST))
                .map(better -> Violation.in(file, type.line(), RuleName.CLASS, "class " + name + ": say " + better));
    }
}
