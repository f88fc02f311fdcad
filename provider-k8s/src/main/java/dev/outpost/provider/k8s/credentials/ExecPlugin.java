package dev.outpost.provider.k8s.credentials;

import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecEnvVar;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A program that prints credentials, as Kubernetes defines it (client.authentication.k8s.io): an ExecCredential in
 * JSON on its standard output. Its standard error is read separately, and quoted in the message if it fails.
 */
final class ExecPlugin {
    private static final Duration LONGEST_RUN = Duration.ofMinutes(1);
    private static final int LONGEST_QUOTE = 300;

    private final ExecConfig exec;
    private final Path folder;
    private final String field;
    private final Map<String, Object> cluster;
    private final KubernetesSerialization serialization;

    /**
     * The credentials that a run printed.
     *
     * @param token the bearer token
     * @param certificate the certificate with its chain, in PEM
     * @param key the key of the certificate, in PEM
     * @param expires the time at which they expire, by the clock of the program that printed it
     */
    record Credential(
            Optional<String> token, Optional<String> certificate, Optional<String> key, Optional<Instant> expires) {}

    /**
     * @param folder the folder of the kubeconfig, to which a command with a slash is relative
     * @param field names the field of the kubeconfig in errors
     * @param cluster the information about the cluster for the program, if it requests it
     */
    ExecPlugin(
            ExecConfig exec,
            Path folder,
            String field,
            Map<String, Object> cluster,
            KubernetesSerialization serialization) {
        this.exec = exec;
        this.folder = folder;
        this.field = field;
        this.cluster = cluster;
        this.serialization = serialization;
    }

    /**
     * Runs the program, for a minute at most.
     *
     * @throws KubernetesClientException if it prints no credentials; the message has the field, the program and its output
     */
    Credential run() {
        Process process = start();
        try {
            process.getOutputStream().close();
            CompletableFuture<String> output = read(process.getInputStream());
            CompletableFuture<String> errors = read(process.getErrorStream());
            if (!process.waitFor(LONGEST_RUN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw failed("did not end within " + LONGEST_RUN.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw failed("ended with exit code " + process.exitValue() + quoted(errors.join()));
            }
            return credential(output.join(), errors);
        } catch (IOException failure) {
            throw failed("broke: " + failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Process start() {
        List<String> line = new ArrayList<>();
        line.add(command());
        line.addAll(Optional.ofNullable(exec.getArgs()).orElse(List.of()));
        ProcessBuilder builder = new ProcessBuilder(line);
        for (ExecEnvVar variable : Optional.ofNullable(exec.getEnv()).orElse(List.of())) {
            builder.environment().put(variable.getName(), variable.getValue());
        }
        builder.environment().put("KUBERNETES_EXEC_INFO", serialization.asJson(info()));
        try {
            return builder.start();
        } catch (IOException failure) {
            String hint = exec.getInstallHint() == null
                    ? ""
                    : "; " + exec.getInstallHint().strip();
            throw failed("cannot be started: " + failure.getMessage() + hint);
        }
    }

    private String command() {
        Path command = Path.of(exec.getCommand());
        boolean isFile = command.getNameCount() > 1 || command.isAbsolute();
        return isFile ? folder.resolve(command).normalize().toString() : exec.getCommand();
    }

    private Map<String, Object> info() {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("interactive", false);
        if (Boolean.TRUE.equals(exec.getProvideClusterInfo())) {
            spec.put("cluster", cluster);
        }
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("apiVersion", exec.getApiVersion());
        info.put("kind", "ExecCredential");
        info.put("spec", spec);
        return info;
    }

    /** Reads on a platform thread. A read from a pipe would block the carrier of a virtual thread for as long as the plugin runs. */
    private static CompletableFuture<String> read(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException ignored) {
                        return "";
                    }
                },
                task -> Thread.ofPlatform().daemon().name("outpost-credential").start(task));
    }

    private Credential credential(String output, CompletableFuture<String> errors) {
        Map<?, ?> printed = parse(output);
        if (!(printed.get("status") instanceof Map<?, ?> status)) {
            throw failed("printed no ExecCredential with a status" + quoted(errors.join()));
        }
        if (!String.valueOf(exec.getApiVersion()).equals(printed.get("apiVersion"))) {
            throw failed("printed the apiVersion " + printed.get("apiVersion") + ", the kubeconfig says "
                    + exec.getApiVersion());
        }
        Credential read = new Credential(
                text(status, "token"),
                text(status, "clientCertificateData"),
                text(status, "clientKeyData"),
                text(status, "expirationTimestamp").flatMap(ExecPlugin::instant));
        if (read.token().isEmpty()
                && (read.certificate().isEmpty() || read.key().isEmpty())) {
            throw failed("printed neither a token nor a certificate with its key" + quoted(errors.join()));
        }
        return read;
    }

    /** Parses the output. Never quotes it, because it may contain a secret. */
    private Map<?, ?> parse(String output) {
        try {
            Map<?, ?> printed = serialization.unmarshal(output, Map.class);
            return printed == null ? Map.of() : printed;
        } catch (KubernetesClientException | IllegalArgumentException ignored) {
            return Map.of();
        }
    }

    private static Optional<String> text(Map<?, ?> map, String name) {
        return Optional.ofNullable(map.get(name)).map(Object::toString).filter(text -> !text.isBlank());
    }

    /** Parses the expiry. If it is missing or unreadable, the credentials are used until they are refused. */
    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException ignored) {
            return Optional.empty();
        }
    }

    private KubernetesClientException failed(String why) {
        return new KubernetesClientException(field + ": the program " + exec.getCommand() + " " + why);
    }

    private static String quoted(String errors) {
        String text = errors.strip().replaceAll("\\s+", " ");
        String end = text.length() > LONGEST_QUOTE ? "…" + text.substring(text.length() - LONGEST_QUOTE) : text;
        return end.isEmpty() ? "" : ": \"" + end + "\"";
    }
}
