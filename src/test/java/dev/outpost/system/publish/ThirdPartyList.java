package dev.outpost.system.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/** The shipped artefacts of others, with their licences, as THIRD-PARTY.txt lists them: one per line. */
record ThirdPartyList(SortedMap<String, String> licences) {
    private static final String HEADER = """
            Artefacts of others in the class path of dev.outpost:outpost and in the zip, with the licences that their poms name; where
            there are several, each may be chosen. What native libraries they hold is in NOTICE. Made from the lists of parts
            (CycloneDX) that ./outpost publish writes; LicencesTest holds this file to them.

            """;

    /** Licences of which one must be among an artefact's: permissive ones, and those that bind the library alone. */
    static final Set<String> ALLOWED = Set.of(
            "0BSD",
            "Apache-2.0",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "Bouncy Castle Licence",
            "CC0-1.0",
            "EPL-1.0",
            "EPL-2.0",
            "ISC",
            "MIT",
            "MIT-0",
            "PostgreSQL",
            "Public Domain");

    /** The committed list. */
    static ThirdPartyList committed() {
        SortedMap<String, String> licences = new TreeMap<>();
        SourceTree.read("THIRD-PARTY.txt")
                .lines()
                .filter(line -> line.matches("\\S+:\\S+ \\S+  .+"))
                .forEach(line -> {
                    String[] parts = line.split("  ", 2);
                    licences.put(parts[0], parts[1]);
                });
        return new ThirdPartyList(licences);
    }

    /** All components of these lists of parts that are not from this project. */
    static ThirdPartyList of(List<Path> listsOfParts) throws IOException {
        SortedMap<String, String> licences = new TreeMap<>();
        for (Path file : listsOfParts) {
            for (JsonNode component : new ObjectMapper().readTree(file.toFile()).path("components")) {
                String group = component.path("group").asText();
                if (!group.equals("dev.outpost")) {
                    String name = group + ":" + component.path("name").asText();
                    licences.put(name + " " + component.path("version").asText(), licences(component));
                }
            }
        }
        return new ThirdPartyList(licences);
    }

    private static String licences(JsonNode component) {
        List<String> names = StreamSupport.stream(component.path("licenses").spliterator(), false)
                .map(ThirdPartyList::licence)
                .toList();
        return names.isEmpty() ? "none named" : String.join(" | ", names);
    }

    private static String licence(JsonNode entry) {
        JsonNode licence = entry.path("license");
        return entry.has("expression")
                ? entry.path("expression").asText()
                : licence.path("id").asText(licence.path("name").asText());
    }

    /** Artefacts none of whose licences is allowed. */
    List<String> forbidden() {
        List<String> forbidden = new ArrayList<>();
        licences.forEach((artefact, names) -> {
            if (Set.of(names.split(" \\| | OR ")).stream().noneMatch(ALLOWED::contains)) {
                forbidden.add(artefact + "  " + names);
            }
        });
        return forbidden;
    }

    /** The whole file. */
    String text() {
        StringBuilder text = new StringBuilder(HEADER);
        licences.forEach((artefact, names) ->
                text.append(artefact).append("  ").append(names).append('\n'));
        return text.toString();
    }
}
