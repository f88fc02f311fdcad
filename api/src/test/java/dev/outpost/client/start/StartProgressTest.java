package dev.outpost.client.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.stats.Provisioning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class StartProgressTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<String> shown = new ArrayList<>();
    private final StartProgress progress = new StartProgress(
            new StartView() {
                @Override
                public void step(ProvisioningStep step) {
                    shown.add(step.phase() + " " + step.text() + " "
                            + step.elapsed().toMillis());
                }

                @Override
                public void end() {
                    shown.add("end");
                }
            },
            clock::get);

    @Test
    void aStartIsTimedPhaseByPhase() {
        pass(12);
        say(MachinePhase.QUEUED, "waiting for quota");
        pass(20_088);
        say(MachinePhase.PULLING, "pulling the image");
        pass(1_000);
        say(MachinePhase.READY, "it runs");
        pass(500);
        progress.ready();
        pass(60_000);
        assertEquals(
                "ready after 21.6 s: queued 20.1 s, pulling 1.0 s, connecting 500 ms",
                progress.provisioning().toString());
        assertEquals(
                List.of(
                        new Provisioning.PhaseTime(MachinePhase.QUEUED, millis(12), millis(20_088)),
                        new Provisioning.PhaseTime(MachinePhase.PULLING, millis(20_100), millis(1000)),
                        new Provisioning.PhaseTime(MachinePhase.CONNECTING, millis(21_100), millis(500))),
                progress.provisioning().phases());
        assertEquals("it runs", progress.provisioning().text());
    }

    @Test
    void progressCanBeReadMeanwhile() {
        assertEquals("starting for 0 ms", progress.provisioning().toString());
        say(MachinePhase.QUEUED, "waiting for quota");
        pass(200);
        say(MachinePhase.SCHEDULING, "a node is being added");
        pass(1_300);
        assertEquals(
                "a node is being added, starting for 1.5 s: queued 200 ms, scheduling 1.3 s",
                progress.provisioning().toString());
    }

    /** The machine may not answer yet when the provider has handed it out, so the provider's last step is not the last one. */
    @Test
    void itIsReadyWhenTheMachineHasAnswered() {
        say(MachinePhase.STARTING, "starting the engine");
        pass(10);
        say(MachinePhase.READY, "it runs");
        pass(10);
        progress.ready();
        progress.ready();
        assertEquals(
                List.of("STARTING starting the engine 0", "CONNECTING connecting 10", "READY it runs 20", "end"),
                shown);
    }

    @Test
    void aPhaseDoesNotComeBack() {
        say(MachinePhase.PULLING, "pulling");
        pass(10);
        say(MachinePhase.PULLING, "pulling (50 %)");
        pass(10);
        say(MachinePhase.SCHEDULING, "again on another node");
        assertEquals(
                List.of("PULLING pulling 0", "PULLING pulling (50 %) 10", "PULLING again on another node 20"), shown);
        assertEquals(
                "again on another node, starting for 20 ms: pulling 20 ms",
                progress.provisioning().toString());
    }

    @Test
    void aFailedStartIsOver() {
        say(MachinePhase.QUEUED, "waiting for quota");
        pass(30);
        progress.failed();
        pass(30);
        say(MachinePhase.READY, "too late");
        progress.ready();
        assertEquals("failed after 30 ms: queued 30 ms", progress.provisioning().toString());
        assertEquals(List.of("QUEUED waiting for quota 0", "end"), shown);
    }

    private void say(MachinePhase phase, String text) {
        progress.accept(new ProvisioningStep(phase, text, Duration.ofDays(1)));
    }

    private void pass(long millis) {
        clock.addAndGet(millis(millis).toNanos());
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
