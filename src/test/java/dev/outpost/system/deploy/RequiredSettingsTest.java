package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.seal.SealKeys;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each setting that a component cannot do without is in its manifest, and each Secret of a manifest is in an example of the docs. */
@Tag("quick")
class RequiredSettingsTest {
    private static final Pattern SECRET =
            Pattern.compile("create secret (?:generic|tls) ([a-z-]+)((?:\\\\\n|[^`\n])*)");
    private static final Pattern KEY = Pattern.compile("--from-(?:literal|file)=([A-Za-z0-9.-]+)");
    private static final Pattern VARIABLE = Pattern.compile("\"(OUTPOST_[A-Z_]+)\"");

    /** Without these the component does not start. */
    private static final Map<String, List<String>> TO_START = Map.of(
            "outpost-backend",
            List.of(
                    "OUTPOST_BACKEND_HOST",
                    "OUTPOST_BACKEND_ADMIN_KEY",
                    "OUTPOST_BACKEND_DATABASE_URL",
                    "OUTPOST_BACKEND_DATABASE_USER",
                    "OUTPOST_BACKEND_DATABASE_PASSWORD",
                    "OUTPOST_BACKEND_TLS_CERTIFICATE",
                    "OUTPOST_BACKEND_TLS_KEY"),
            "outpost-relay",
            List.of("OUTPOST_RELAY_SECRET"),
            "outpost-serving",
            List.of(
                    "OUTPOST_SERVING_HOST",
                    "OUTPOST_SERVING_MODEL",
                    "OUTPOST_SERVING_ENDPOINT",
                    "OUTPOST_SERVING_API_KEYS_FILE"));

    private static List<Deployment> deployments() {
        return Manifests.all(Deployment.class, ManifestsTest.objects().toList());
    }

    private static PodSpec pod(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec();
    }

    private static Stream<EnvVar> variables(PodSpec pod) {
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                .map(Container::getEnv)
                .flatMap(List::stream);
    }

    @Test
    void settingsWithoutWhichAComponentDoesNotStartAreSet() {
        assertEquals(
                TO_START.keySet(),
                deployments().stream()
                        .map(deployment -> deployment.getMetadata().getName())
                        .collect(Collectors.toSet()));
        for (Deployment deployment : deployments()) {
            assertSet(deployment, TO_START.get(deployment.getMetadata().getName()));
        }
    }

    /** The settings that {@code doctor} and the readiness of the backend report when they are missing. */
    @Test
    void settingsThatABackendMissesAreSet() {
        Matcher names = VARIABLE.matcher(DeployFolder.read(
                DeployFolder.TREE.resolve("control-plane/src/main/java/dev/outpost/backend/MissingSettings.java")));
        Set<String> reported = names.results().map(found -> found.group(1)).collect(Collectors.toSet());
        assertEquals(4, reported.size(), reported::toString);
        Deployment backend = deployments().stream()
                .filter(deployment -> deployment.getMetadata().getName().equals("outpost-backend"))
                .findFirst()
                .orElseThrow();
        assertSet(backend, reported);
    }

    private static void assertSet(Deployment deployment, Iterable<String> required) {
        Set<String> set = variables(pod(deployment)).map(EnvVar::getName).collect(Collectors.toSet());
        required.forEach(name -> assertTrue(set.contains(name), name));
    }

    // ---- Secrets

    /** By the name of the Secret, its keys in the examples. */
    private static Map<String, Set<String>> examples() {
        Map<String, Set<String>> examples = new TreeMap<>();
        for (String page : List.of("docs/backend-on-kubernetes.md", "docs/serving.md")) {
            Matcher secrets = SECRET.matcher(DeployFolder.read(DeployFolder.TREE.resolve(page)));
            while (secrets.find()) {
                Set<String> keys = examples.computeIfAbsent(secrets.group(1), name -> new TreeSet<>());
                KEY.matcher(secrets.group(2)).results().forEach(key -> keys.add(key.group(1)));
            }
        }
        return examples;
    }

    /** By the name of the Secret, the keys that manifests take from it by variables and as files. */
    private static Map<String, Set<String>> taken() {
        Map<String, Set<String>> taken = new TreeMap<>();
        for (Deployment deployment : deployments()) {
            PodSpec pod = pod(deployment);
            variables(pod)
                    .map(EnvVar::getValueFrom)
                    .flatMap(from -> Optional.ofNullable(from == null ? null : from.getSecretKeyRef()).stream())
                    .forEach(key -> taken.computeIfAbsent(key.getName(), name -> new TreeSet<>())
                            .add(key.getKey()));
            pod.getContainers().forEach(container -> addFiles(taken, pod, container));
        }
        addFilesOfComponent(taken, "more-clusters");
        return taken;
    }

    /** What a component adds to a pod and to its first container. */
    private static void addFilesOfComponent(Map<String, Set<String>> taken, String component) {
        PodSpec pod = new PodSpec();
        Container container = new Container();
        Kustomization.in(DeployFolder.component(component)).patches().stream()
                .flatMap(patch -> patch.operations().stream())
                .forEach(added -> {
                    if (added.path().endsWith("/env/-")) {
                        container.getEnv().add(Manifests.model(added.value(), EnvVar.class));
                    } else if (added.path().endsWith("/volumeMounts/-")) {
                        container.getVolumeMounts().add(Manifests.model(added.value(), VolumeMount.class));
                    } else if (added.path().endsWith("/volumes/-")) {
                        pod.getVolumes().add(Manifests.model(added.value(), Volume.class));
                    }
                });
        addFiles(taken, pod, container);
    }

    private static void addFiles(Map<String, Set<String>> taken, PodSpec pod, Container container) {
        container
                .getVolumeMounts()
                .forEach(mount -> secret(pod, mount.getName()).ifPresent(secret -> {
                    List<Path> files = container.getEnv().stream()
                            .map(EnvVar::getValue)
                            .filter(value -> value != null && value.startsWith(mount.getMountPath() + "/"))
                            .map(Path::of)
                            .toList();
                    files.forEach(file -> taken.computeIfAbsent(secret, name -> new TreeSet<>())
                            .add(file.getFileName().toString()));
                }));
    }

    private static Optional<String> secret(PodSpec pod, String volume) {
        return pod.getVolumes().stream()
                .filter(one -> one.getName().equals(volume))
                .map(Volume::getSecret)
                .filter(secret -> secret != null)
                .map(secret -> secret.getSecretName())
                .findFirst();
    }

    @Test
    void examplesMakeWhatTheManifestsTakeAndNothingElse() {
        assertEquals(taken(), examples());
    }

    /** As the command of the example draws it. */
    @Test
    void sealKeyOfTheExampleIsAccepted() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        String drawn = "k1:"
                + Base64.getEncoder().encodeToString(bytes).replace('+', '-').replace('/', '_');
        assertTrue(new SealKeys(drawn, new SecureRandom()).isReady());
    }
}
