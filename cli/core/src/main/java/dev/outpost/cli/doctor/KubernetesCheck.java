package dev.outpost.cli.doctor;

import dev.outpost.runtime.cuda.check.CheckResult;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the cluster of a Kubernetes client: the files of KUBECONFIG, the file in the home folder, or the service
 * account of a pod. It reads only the name of the current context of a kubeconfig.
 */
public final class KubernetesCheck {
    private static final String NAME = "kubeconfig";
    private static final Pattern CONTEXT = Pattern.compile("^\"?current-context\"?:\\s*[\"']?([^\"'\\s#]+)");
    private static final String REMEDY =
            "For machines on Kubernetes set KUBECONFIG, or write ~/.kube/config with what runs the cluster.";

    private final Map<String, String> environment;
    private final Path home;
    private final Path serviceAccount;

    private KubernetesCheck(Map<String, String> environment, Path home, Path serviceAccount) {
        this.environment = environment;
        this.home = home;
        this.serviceAccount = serviceAccount;
    }

    public static CheckResult run() {
        return run(
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }

    static CheckResult run(Map<String, String> environment, Path home, Path serviceAccount) {
        return new KubernetesCheck(environment, home, serviceAccount).check();
    }

    private CheckResult check() {
        List<Path> named = paths(environment.getOrDefault("KUBECONFIG", ""));
        if (!named.isEmpty()) {
            return ofFiles(named);
        }
        Path usual = home.resolve(".kube").resolve("config");
        if (Files.exists(usual)) {
            return ofFiles(List.of(usual));
        }
        return isInPod()
                ? CheckResult.ok(NAME, "none needed, this is a pod with a service account")
                : CheckResult.absent(NAME, "no KUBECONFIG, no " + usual + ", and not in a pod", REMEDY);
    }

    private static List<Path> paths(String value) {
        return Stream.of(value.split(File.pathSeparator))
                .filter(Predicate.not(String::isBlank))
                .map(Path::of)
                .toList();
    }

    private boolean isInPod() {
        return environment.containsKey("KUBERNETES_SERVICE_HOST") && Files.exists(serviceAccount.resolve("token"));
    }

    /**
     * Checks the files of KUBECONFIG like kubectl: ignores missing files, and uses the first file that names a
     * context.
     */
    private static CheckResult ofFiles(List<Path> files) {
        List<Path> existing = files.stream().filter(Files::exists).toList();
        if (existing.isEmpty()) {
            return CheckResult.failed(NAME, "KUBECONFIG names no file that exists, got " + files, REMEDY);
        }
        try {
            Optional<String> context = context(existing);
            return context.isPresent()
                    ? CheckResult.ok(NAME, "context " + context.get() + ", " + shown(existing))
                    : CheckResult.failed(
                            NAME,
                            shown(existing) + " has no current context",
                            "Choose one: kubectl config use-context.");
        } catch (IOException failure) {
            return CheckResult.failed(NAME, "cannot be read, " + failure.getMessage(), "Make it a readable text file.");
        }
    }

    private static String shown(List<Path> files) {
        return String.join(
                File.pathSeparator, files.stream().map(Path::toString).toList());
    }

    private static Optional<String> context(List<Path> files) throws IOException {
        for (Path file : files) {
            Optional<String> context = Files.readAllLines(file).stream()
                    .map(CONTEXT::matcher)
                    .filter(Matcher::find)
                    .map(matcher -> matcher.group(1))
                    .findFirst();
            if (context.isPresent()) {
                return context;
            }
        }
        return Optional.empty();
    }
}
