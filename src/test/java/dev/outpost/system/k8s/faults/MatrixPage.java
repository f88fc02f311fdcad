package dev.outpost.system.k8s.faults;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The matrix as a page for users. */
final class MatrixPage {
    private static final String OPENING = """
            # When something goes wrong on Kubernetes

            This page is for operators of machines on Kubernetes. It shows the final state of a machine, and the exception in the program,
            if a pod dies, the API server is unavailable, or a client is killed. You never have to clean up. In every case, no container runs
            at the end, and no Job, pod, Secret or Service remains.

            Find the event in the rows of the table and the machine's step in the columns. For example, **pod killed** at
            **mid-segment** means that the runtime's process got a SIGKILL while the program was computing. The outcome is *lost, or new
            machine*. The program gets an exception with the reason. With `MachineOptions.onLoss(MachineLossPolicy.RESTART)`, its next
            tensors are on a new machine.

            Each cell is a test (`FaultMatrixTest` and `KilledClientTest`). The tests also check that the client created only one Job
            for each requested machine.

            """;

    private static final String CLOSING = """
            `MatrixPageTest` with `-Doutpost.docs.write=true` writes this page from the table of the tests.
            """;

    private final List<FaultCase> faultCases = FaultMatrix.cells();

    private MatrixPage() {}

    static String text() {
        MatrixPage page = new MatrixPage();
        return OPENING + page.outcomes() + page.table() + page.steps() + page.disturbances() + page.reasons() + CLOSING;
    }

    private String table() {
        String titles = join(Arrays.stream(MachineStep.values()).map(MachineStep::title));
        String line = "|---".repeat(MachineStep.values().length + 1) + "|\n";
        return "## Table\n\n| |" + titles + line
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
                + "A machine is lost by default. `MachineOptions.onLoss(MachineLossPolicy.RESTART)` replaces it.\n\n";
    }

    private String reasons() {
        Set<String> reasons = faultCases.stream()
                .filter(faultCase -> !faultCase.isPlayed())
                .map(faultCase -> item(faultCase.disturbance().title(), faultCase.note()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return section("Cells without an outcome", reasons.stream());
    }

    private String steps() {
        return section("Steps", Arrays.stream(MachineStep.values()).map(step -> item(step.title(), step.meaning())));
    }

    private String disturbances() {
        return section("Events", Arrays.stream(Disturbance.values()).map(each -> item(each.title(), each.meaning())));
    }

    private static String item(String title, String text) {
        return "- **" + title + "**: " + text + ".\n";
    }

    private static String section(String title, Stream<String> items) {
        return "## " + title + "\n\n" + items.collect(Collectors.joining()) + "\n";
    }
}
