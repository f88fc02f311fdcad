package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.desired.MachineContainer;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules that the image is made by. */
@Tag("quick")
class ContainerfileTest {
    private static final Containerfile FILE =
            Containerfile.parse(DeployFolder.read(DeployFolder.ROOT.resolve("Containerfile")));
    private static final Containerfile IMAGE = FILE.lastStage();
    private static final String LAUNCHER = DeployFolder.read(DeployFolder.TREE.resolve("outpost"))
            + DeployFolder.read(DeployFolder.TREE.resolve("packaging/dist/src/main/sh/common.sh"));
    private static final List<String> OPTIONS = DeployFolder.read(DeployFolder.ROOT.resolve("image/java.options"))
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();

    @Test
    void theBaseIsAnArgument() {
        assertEquals("${BASE}", IMAGE.all("FROM").getFirst().rest());
        String gpu = FILE.standard("BASE").orElseThrow();
        assertTrue(gpu.matches("docker\\.io/nvidia/cuda:1[23]\\.\\d+\\.\\d+-runtime-.+"), gpu);
    }

    /** The tried image must be the delivered one. */
    @Test
    void imageIsTriedOnItsBaseAsItsUser() {
        assertTrue(FILE.all("FROM").stream().anyMatch(from -> from.rest().equals("${BASE} AS tried")));
        assertEquals(2, FILE.all("USER").size());
        assertEquals(FILE.all("USER").getFirst(), FILE.all("USER").getLast());
        assertEquals(
                "--from=tried /opt/outpost /opt/outpost",
                IMAGE.all("COPY").getFirst().rest());
    }

    @Test
    void theUserIsANumberOtherThanRoot() {
        String user = IMAGE.all("USER").getLast().rest();
        assertTrue(user.matches("[1-9]\\d{3,}:[1-9]\\d{3,}"), user);
    }

    @Test
    void signalsReachTheRuntimeDirectly() {
        assertEquals(
                List.of(
                        "/opt/outpost/java/bin/java",
                        "@/opt/outpost/java.options",
                        "-XX:AOTCache=/opt/outpost/runtime.aot",
                        "-jar",
                        "/opt/outpost/runtime.jar"),
                IMAGE.all("ENTRYPOINT").getFirst().words());
        assertEquals(List.of(), IMAGE.all("CMD"));
    }

    @Test
    void theImageRunsNoShell() {
        assertEquals(List.of(), IMAGE.all("RUN"));
    }

    @Test
    void buildDownloadsFromPackageRegistriesOnly() {
        assertEquals(List.of(), FILE.all("ADD"));
        FILE.all("RUN").forEach(run -> assertFalse(run.rest().matches(".*\\b(curl|wget)\\b.*"), run::rest));
    }

    @Test
    void thePortsAreThoseOfMachines() {
        assertEquals(
                MachineContainer.SESSION_PORT + " " + MachineContainer.MANAGEMENT_PORT,
                IMAGE.all("EXPOSE").getFirst().rest());
        assertTrue(IMAGE.all("ENV").stream()
                .anyMatch(env ->
                        env.rest().equals("OUTPOST_RUNTIME_MANAGEMENT_PORT=" + MachineContainer.MANAGEMENT_PORT)));
    }

    @Test
    void aMachineIsReachedFromOutsideOfItsContainer() {
        assertTrue(IMAGE.all("ENV").stream().anyMatch(env -> env.rest().equals("OUTPOST_RUNTIME_HOST=0.0.0.0")));
    }

    /** Of the GPUs that the device plugin did not give to it. */
    @Test
    void aMachineSeesNoGpuOfOthers() {
        assertTrue(IMAGE.all("ENV").stream().anyMatch(env -> env.rest().equals("NVIDIA_VISIBLE_DEVICES=void")));
    }

    // ---- in step with the launcher

    @Test
    void theFlagsAreTheLaunchersAndThoseOfAContainer() {
        String launcher =
                inLauncher("\nJAVA_FLAGS='([^']*)'") + inLauncher("\nRUNTIME_FLAGS=\"\\$JAVA_FLAGS([^\"]*)\"");
        assertEquals(
                Stream.concat(
                                Stream.of(launcher.split(" ")),
                                Stream.of("-XX:MaxRAMPercentage=70", "-XX:-UseCompressedOops"))
                        .toList(),
                OPTIONS);
    }

    @Test
    void theRuntimeIsBuiltAsTheLauncherBuildsIt() {
        String arguments = inLauncher("build (--projects cli/core,.*)");
        assertTrue(FILE.running("./mvnw").rest().endsWith("./mvnw -q " + arguments), arguments);
    }

    @Test
    void itIsTrainedWithTheFlagsThatItRunsWith() {
        String java = "/opt/outpost/java/bin/java @/opt/outpost/java.options ";
        assertTrue(
                FILE.running("AOTCacheOutput").rest().contains(java + "-XX:AOTCacheOutput=/opt/outpost/runtime.aot"));
        List<String> trial = FILE.running("AOTMode=on").words();
        List<String> start = IMAGE.all("ENTRYPOINT").getFirst().words();
        assertEquals(start.subList(0, 3), trial.subList(0, 3));
        assertTrue(trial.containsAll(start), trial::toString);
    }

    private static String inLauncher(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(LAUNCHER);
        assertTrue(matcher.find(), pattern);
        return matcher.group(1);
    }

    // ---- what it is built from

    /** Maven reads all modules, though it builds few of them. */
    @Test
    void theContextHasEveryModule() {
        List<String> let = DeployFolder.read(DeployFolder.ROOT.resolve("Containerfile.dockerignore"))
                .lines()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();
        let.forEach(path -> assertTrue(Files.exists(DeployFolder.TREE.resolve(path)), path));
        Matcher modules = Pattern.compile("<module>(.+?)</module>")
                .matcher(DeployFolder.read(DeployFolder.TREE.resolve("pom.xml")).replaceAll("(?s)<profiles>.*", ""));
        modules.results()
                .map(module -> module.group(1) + "/pom.xml")
                .forEach(pom -> assertTrue(let.stream().anyMatch(path -> pom.startsWith(path)), pom));
    }
}
