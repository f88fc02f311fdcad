package dev.outpost.provider.k8s.reason;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.reason.symptom.ApiSymptom;
import dev.outpost.provider.k8s.reason.symptom.Symptom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page for users has the texts of the code, for every case that the code knows. */
@Tag("quick")
class TroubleshootingPageTest {
    private static final Path PAGE = Path.of("../docs/kubernetes-troubleshooting.md");
    private static final Pattern SETTING = Pattern.compile("outpost\\.k8s\\.([a-zA-Z0-9.<>-]*[a-zA-Z0-9>])");

    /** A row of a table. */
    private record Row(String title, String what, String remedy, String then) {
        static Row parse(String line) {
            String[] cells = line.substring(2, line.length() - 2).split(" \\| ", -1);
            return new Row(cells[0], cells[1], cells[2], cells[3]);
        }
    }

    private static List<Row> rows() {
        try (Stream<String> lines = Files.lines(PAGE)) {
            return lines.filter(line -> line.startsWith("| ") && !line.startsWith("| Symptom "))
                    .map(line -> Row.parse(line.replace("`", "").replace("\\|", "|")))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Symptom> symptoms() {
        return Arrays.stream(Symptom.class.getPermittedSubclasses())
                .<Symptom>flatMap(
                        family -> Arrays.stream(family.getEnumConstants()).map(Symptom.class::cast))
                .toList();
    }

    /** The sentences of the symptom in the tests. */
    private static Map<Symptom, Set<String>> examples() {
        return Stream.concat(
                        PodCase.all().stream().map(found -> Map.entry(found.symptom(), found.what())),
                        Stream.concat(
                                ApiCases.all().stream().map(found -> Map.entry(found.symptom(), found.what())),
                                Stream.of(Map.entry(
                                        (Symptom) ApiSymptom.CONTEXT_MISSING,
                                        ApiCases.missingContext().what()))))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
    }

    @Test
    void everySymptomHasItsRow() {
        assertEquals(
                symptoms().stream().map(Symptom::title).toList(),
                rows().stream().map(Row::title).toList());
    }

    @Test
    void titlesAreUnique() {
        assertEquals(
                symptoms().size(),
                Set.copyOf(symptoms().stream().map(Symptom::title).toList()).size());
    }

    @Test
    void aRowSaysWhatTheCodeSays() {
        Map<String, Row> rows = rows().stream().collect(Collectors.toMap(Row::title, Function.identity()));
        for (Symptom symptom : symptoms()) {
            Row row = rows.get(symptom.title());
            assertEquals(symptom.remedy(), row.remedy(), symptom.title());
            assertEquals(symptom.then().title(), row.then(), symptom.title());
        }
    }

    @Test
    void theExampleOfARowIsOneThatWasTested() {
        Map<Symptom, Set<String>> examples = examples();
        Map<String, Row> rows = rows().stream().collect(Collectors.toMap(Row::title, Function.identity()));
        for (Symptom symptom : symptoms()) {
            Set<String> tested = examples.getOrDefault(symptom, Set.of());
            String shown = rows.get(symptom.title()).what();
            assertTrue(tested.contains(shown), () -> symptom + ": no test has shown it to say: " + shown);
        }
    }

    @Test
    void everySettingThatARemedyNamesExists() {
        Set<String> named = symptoms().stream()
                .flatMap(symptom -> SETTING.matcher(symptom.remedy()).results())
                .map(result -> result.group(1).replace("<GPU>", "*"))
                .collect(Collectors.toCollection(HashSet::new));
        named.removeAll(SettingsReader.names());
        assertEquals(Set.of(), named);
    }
}
