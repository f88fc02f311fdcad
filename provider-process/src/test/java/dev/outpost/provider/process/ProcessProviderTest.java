package dev.outpost.provider.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProviderUnavailableException;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract with a fake program in place of the runtime, and the refused requests. */
class ProcessProviderTest extends GpuProviderContract {
    private static final MachineSpec ANY = MachineSpec.of(GpuType.ANY);

    @TempDir
    static Path folder;

    @Override
    protected GpuProvider provider() {
        return with("serve");
    }

    private static ProcessProvider with(String beginning) {
        try {
            return new ProcessProvider(PaperRuntime.options(folder, beginning));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String refusal(MachineSpec spec) {
        return assertThrows(IllegalArgumentException.class, () -> with("serve").validate(spec))
                .getMessage();
    }

    private static MachineSpec any(String option, String value) {
        return new MachineSpec(GpuType.ANY, 1, Map.of(option, value), "any");
    }

    @Test
    void missingRuntimeIsExplained() {
        assertEquals(
                "process: there is no runtime to start: set outpost.process.jar (OUTPOST_PROCESS_JAR) to"
                        + " outpost-runtime-runner.jar; ./outpost builds it and sets this by itself",
                refusal(any("jar", "")));
        assertEquals(
                "outpost.process.jar: /no/such.jar is not there; ./outpost runtime --help builds the runtime",
                refusal(any("jar", "/no/such.jar")));
        assertEquals(
                "outpost.process.java: /no/java is no program; set it to the bin/java of a Java 25 or newer",
                refusal(any("java", "/no/java")));
    }

    /** A program that names no machine then gets another provider; a wrong setting must not lead to this. */
    @Test
    void onlyARuntimeThatIsNotSetMakesTheProviderUnavailable() {
        assertThrows(ProviderUnavailableException.class, () -> with("serve").validate(any("jar", "")));
        assertThrowsExactly(IllegalArgumentException.class, () -> with("serve").validate(any("jar", "/no/such.jar")));
    }

    /** The hosts that build this have none; never is it a processor that goes for a GPU. */
    @Test
    void aGpuThatThisHostDoesNotHaveIsRefusedUnlessThereIsAStandIn() {
        GpuType unheard = GpuCatalogue.with("RTX0000=1GB:1.0").find("RTX0000");
        MachineSpec spec = MachineSpec.of(unheard);
        assertTrue(refusal(spec).startsWith("process: this host has no RTX0000; it has "), refusal(spec));
        new ProcessProvider()
                .validate(new MachineSpec(
                        unheard, 1, Map.of("gpus", "RTX0000:cpu", "jar", folder.toString()), "stand-in"));
    }

    @Test
    void aStartThatFailsLeavesNothingAndSaysWhy() {
        ProcessProvider refusing = with("refuse");
        var failed = assertThrows(
                IllegalStateException.class,
                () -> refusing.provision(ANY, step -> {}).await().atMost(Await.GUARD));
        assertTrue(
                failed.getMessage()
                        .endsWith(" has ended: its runtime did not start: outpost runtime: port 1 cannot be served: it"
                                + " is taken"),
                failed::getMessage);
        assertEquals(List.of(), refusing.keeper().orElseThrow().list().await().atMost(Await.GUARD));
    }

    @Test
    void aLifeLongerThanTheLongestIsRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> provider()
                        .keeper()
                        .orElseThrow()
                        .start(ANY, Duration.ofDays(3), step -> {})
                        .await()
                        .indefinitely());
        assertEquals(
                "life: PT72H is longer than outpost.process.maximum-lifetime = PT24H; ask for less or raise that",
                refused.getMessage());
    }
}
