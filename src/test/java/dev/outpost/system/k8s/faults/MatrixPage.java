package dev.outpost.system.k8s.faults;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The matrix, for people. */
final class MatrixPage {
    private static final String OPENING = """
            # When something goes wrong on Kubernetes

            What becomes of a machine when something happens to it, at each step of its life. Each cell is a test
            (`FaultMatrixTest` and `KilledClientTest`), which also sees to it that no more Jobs were made than machines were
            asked for, and that in the end no container runs and no Job, pod, Secret or Service is left. This page is written
            from the table of the tests: run `MatrixPageTest` with `-Doutpost.docs.write=true` to write it anew.

            """;

    private final List<FaultCase> faultCases = FaultMatrix.cells();

    private MatrixPage() {}

    static String text() {
        MatrixPage page = new MatrixPage();
        return OPENING + page.table() + page.outcomes() + page.reasons() + page.steps() + page.disturbances();
    }

    private String table() {
        String titles = join(Arrays.stream(MachineStep.values()).map(MachineStep::title));
        String line = "|---".repeat(MachineStep.values().length + 1) + "|\n";
        return "| |" + titles + line
                + Arrays.stream(Disturbance.values()).map(this::row).collect(Collectors.joining()) + "\n";
    }

    private String row(Disturbance disturbance) {
        return "| **" + disturbance.title() + "** |"
                + join(Arrays.stream(MachineStep.values()).map(step -> cell(step, disturbance)));
    }

    private static String join(Stream<String> columns) {
        return columns.map(column -> " " + column + " |").collect(Collectors.joining()) + "\n";
    }

    private String cell(MachineStep step, Disturbance disturbance) {
        return faultCases.stream()
                .filter(faultCase -> faultCase.step() == step && faultCase.disturbance() == disturbance)
                .map(faultCase -> faultCase.outcome().title())
                .collect(Collectors.joining(", or "));
    }

    private String outcomes() {
        return section(
                        "Outcomes",
                        Arrays.stream(Outcome.values()).map(outcome -> item(outcome.title(), outcome.meaning())))
                + "A machine is lost where nothing is said, and replaced with `MachineOptions.onLoss(MachineLossPolicy.RESTART)`.\n\n";
    }

    private String reasons() {
        Set<String> reasons = faultCases.stream()
                .filter(faultCase -> !faultCase.isPlayed())
                .map(faultCase -> item(faultCase.disturbance().title(), faultCase.note()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return section("What cannot happen", reasons.stream());
    }

    private String steps() {
        return section("Steps", Arrays.stream(MachineStep.values()).map(step -> item(step.title(), step.meaning())));
    }

    private String disturbances() {
        return section(
                                "What happens",
                                Arrays.stream(Disturbance.values())
                                        .map(disturbance -> item(disturbance.title(), disturbance.meaning())))
                        .stripTrailing()
                + "\n";
    }

    private static String item(String title, String text) {
        return "- **" + title + "**: " + text + ".\n";
    }

    private static String section(String title, Stream<String> items) {
        return "## " + title + "\n\n" + items.collect(Collectors.joining()) + "\n";
    }
}
