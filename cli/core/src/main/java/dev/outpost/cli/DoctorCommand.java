package dev.outpost.cli;

import dev.outpost.cli.doctor.BackendChecks;
import dev.outpost.cli.doctor.CheckTable;
import dev.outpost.cli.doctor.ClusterChecks;
import dev.outpost.cli.doctor.JavaChecks;
import dev.outpost.cli.doctor.KubernetesCheck;
import dev.outpost.cli.doctor.LanDoctor;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.check.CudaChecks;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints which features work on this host. Absent features are no failure, because only the JDK is required. */
@Command(
        name = "doctor",
        description = "Tell what works on this machine, and what to do about what does not.",
        footer = {
            "",
            "It fails where something is there that does not work; what is absent may well be so. CUDA's libraries are"
                    + " looked for first in the folders of the system property " + SearchPlaces.PROPERTY
                    + " or the environment variable " + SearchPlaces.ENVIRONMENT + ", separated as in a class path."
        })
final class DoctorCommand implements Callable<Integer> {
    @Option(
            names = "--lan",
            description =
                    "Check the local network instead: interfaces, multicast, ports, and the workers that are there.")
    private boolean lan;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (lan) {
            return checkLan();
        }
        CudaChecks.Report cuda = checking("CUDA", () -> CudaChecks.run(SearchPlaces.here()));
        List<CheckResult> results = new ArrayList<>(JavaChecks.run());
        results.addAll(cuda.results());
        CheckResult kubeconfig = checking("Kubernetes", KubernetesCheck::run);
        results.add(kubeconfig);
        results.addAll(checking("the cluster", () -> ClusterChecks.run(kubeconfig)));
        results.addAll(checking("the backend", BackendChecks::run));
        print(results, cuda, spec.commandLine().getOut());
        return hasFailed(results) ? 1 : 0;
    }

    private static <T> T checking(String part, Supplier<T> check) {
        try (CommandProgress.Task task = CommandProgress.ofProcess().waiting("checking " + part)) {
            return check.get();
        }
    }

    private int checkLan() {
        LanDoctor doctor = ServiceLoader.load(LanDoctor.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "doctor: ./outpost starts it with what --lan needs; this is only the command line"));
        List<CheckResult> results = checking("the local network", doctor::run);
        PrintWriter out = spec.commandLine().getOut();
        CheckTable.printResults(results, out);
        CheckTable.printRemedies(results, out);
        out.flush();
        return hasFailed(results) ? 1 : 0;
    }

    private static boolean hasFailed(List<CheckResult> results) {
        return results.stream().anyMatch(result -> result.outcome() == CheckOutcome.FAILED);
    }

    private static void print(List<CheckResult> results, CudaChecks.Report cuda, PrintWriter out) {
        CheckTable.printResults(results, out);
        out.println();
        CheckTable.printSearches(cuda.searches(), out);
        CheckTable.printRemedies(results, out);
    }
}
