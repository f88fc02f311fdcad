package dev.outpost.house.check;

import dev.outpost.house.source.Declaration;
import dev.outpost.house.source.ParsedSources;
import dev.outpost.house.source.SourceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Top-level types that share a simple name.
 *
 * @param allowed the number of types that may have a name, by name; the file has the reasons
 */
record SameNames(Map<String, Integer> allowed) implements NameRule {
    private static final int COLUMNS = 3;

    private record Place(SourceFile file, int line) {}

    static SameNames read(Path file) throws IOException {
        Map<String, Integer> allowed = new TreeMap<>();
        for (List<String> row : TsvTable.read(file, COLUMNS)) {
            allowed.put(row.get(0), Integer.valueOf(row.get(1)));
        }
        return new SameNames(allowed);
    }

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        return places(sources).entrySet().stream()
                .filter(entry -> entry.getValue().size() > allowed.getOrDefault(entry.getKey(), 1))
                .flatMap(entry ->
                        entry.getValue().stream().map(place -> violation(entry.getKey(), place, entry.getValue())));
    }

    /** Returns the rows of the list that allow more types than exist. */
    List<String> outdated(ParsedSources sources) {
        Map<String, List<Place>> places = places(sources);
        return allowed.entrySet().stream()
                .filter(row -> places.getOrDefault(row.getKey(), List.of()).size() < row.getValue())
                .map(row -> "same-names.tsv: " + row.getKey() + " has "
                        + places.getOrDefault(row.getKey(), List.of()).size() + " types, the row says "
                        + row.getValue())
                .toList();
    }

    private static Map<String, List<Place>> places(ParsedSources sources) {
        Map<String, List<Place>> places = new TreeMap<>();
        for (SourceFile file : sources.files()) {
            file.declared(Declaration.Kind.TYPE)
                    .filter(Declaration::isTopLevel)
                    .forEach(type -> places.computeIfAbsent(type.name(), ignored -> new ArrayList<>())
                            .add(new Place(file, type.line())));
        }
        return places;
    }

    private static Violation violation(String name, Place place, List<Place> all) {
        String others = all.stream()
                .filter(other -> other != place)
                .map(other -> other.file().path())
                .collect(Collectors.joining(", "));
        return Violation.in(place.file(), place.line(), RuleName.SAME, "type " + name + " is also in " + others);
    }
}
