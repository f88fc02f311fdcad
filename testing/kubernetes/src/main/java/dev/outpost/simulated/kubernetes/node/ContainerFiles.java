package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that a container sees, in a folder of this host: its mounts, and its last message. */
final class ContainerFiles implements AutoCloseable {
    private final Pod pod;
    private final ClusterObjects objects;
    private final Path root;

    ContainerFiles(Pod pod, ClusterObjects objects) {
        this.pod = pod;
        this.objects = objects;
        try {
            this.root = Files.createTempDirectory("outpost-pod");
            Files.createDirectories(message().getParent());
            Files.createFile(message());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    // ---- mounts

    /** Updates the mounts. Returns a volume whose required Secret is missing, if any. */
    Optional<Volume> mount() {
        return mounts().filter(mount -> !mount(mount)).map(this::volume).findFirst();
    }

    private Stream<VolumeMount> mounts() {
        return PodStatuses.container(pod).getVolumeMounts().stream();
    }

    private boolean mount(VolumeMount mount) {
        Path folder = onHost(mount.getMountPath());
        try {
            Files.createDirectories(folder);
            SecretVolumeSource source = volume(mount).getSecret();
            return source == null || writeSecret(source, mount, folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private boolean writeSecret(SecretVolumeSource source, VolumeMount mount, Path folder) throws IOException {
        Optional<Secret> secret = objects.find(Secret.class, pod.getMetadata().getNamespace(), source.getSecretName());
        Map<String, String> data = secret.map(Secret::getData).orElse(Map.of());
        for (Map.Entry<String, String> entry : data.entrySet()) {
            for (Path path : paths(source, mount, entry.getKey())) {
                write(folder.resolve(path), Base64.getDecoder().decode(entry.getValue()));
            }
        }
        return secret.isPresent() || Boolean.TRUE.equals(source.getOptional());
    }

    /** Returns the path of a Secret's key below the mount: items name paths, and the mount may show one of their folders. */
    private List<Path> paths(SecretVolumeSource source, VolumeMount mount, String key) {
        Stream<Path> inVolume = source.getItems().isEmpty()
                ? Stream.of(Path.of(key))
                : source.getItems().stream()
                        .filter(item -> item.getKey().equals(key))
                        .map(item -> Path.of(item.getPath()));
        if (mount.getSubPathExpr() == null) {
            return inVolume.toList();
        }
        Path shown = Path.of(expanded(mount.getSubPathExpr()));
        return inVolume.filter(path -> path.startsWith(shown))
                .map(shown::relativize)
                .toList();
    }

    private String expanded(String expression) {
        String text = expression;
        for (EnvVar variable : PodStatuses.container(pod).getEnv()) {
            if (variable.getValue() != null) {
                text = text.replace("$(" + variable.getName() + ")", variable.getValue());
            }
        }
        return text;
    }

    /** Writes a file atomically for its readers. */
    private static void write(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling("." + file.getFileName());
        Files.write(fresh, content);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private Volume volume(VolumeMount mount) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(mount.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("volumeMounts: there is no volume " + mount.getName()));
    }

    // ---- paths

    /** Converts a text to the path on this host if it is a path of the container. */
    String onHost(String text, List<String> paths) {
        boolean mounted = paths.stream().anyMatch(path -> text.equals(path) || text.startsWith(path + "/"));
        return mounted ? onHost(text).toString() : text;
    }

    /** The container's paths that are not in the image. */
    List<String> paths() {
        return Stream.concat(mounts().map(VolumeMount::getMountPath), Stream.of(messagePath()))
                .toList();
    }

    private Path onHost(String path) {
        return root.resolve(path.substring(1));
    }

    // ---- its last message

    private String messagePath() {
        return Optional.ofNullable(PodStatuses.container(pod).getTerminationMessagePath())
                .orElse("/dev/termination-log");
    }

    private Path message() {
        return onHost(messagePath());
    }

    /** Returns the container's message about its end. */
    String lastMessage() {
        try {
            return Files.readString(message()).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
