package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FleetChangesTest {
    private static MachineObservation machine(String id, String reason) {
        return new MachineObservation(
                new MachineRef(id, 1),
                "A100",
                MachinePhase.STARTING,
                reason,
                Optional.empty(),
                Optional.empty(),
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }

    @Test
    void listenerThatFailsForOneMachineIsToldOfTheOthers() {
        List<String> told = new ArrayList<>();
        FleetChanges changes = new FleetChanges(news -> {
            if (news.machine().id().equals("bad")) {
                throw new IllegalArgumentException("this one cannot be taken in");
            }
            told.add(news.machine().id() + " " + news.state());
        });
        List<MachineObservation> seen = List.of(machine("a", ""), machine("bad", ""), machine("b", ""));
        assertEquals(
                "this one cannot be taken in",
                assertThrows(IllegalArgumentException.class, () -> changes.report(seen))
                        .getMessage());
        changes.report(List.of(machine("a", ""), machine("bad", "")));
        assertEquals(List.of("a STARTING", "b STARTING", "b GONE"), told);
    }

    @Test
    void reasonHasNoControlCharactersAndAnEnd() {
        assertEquals(
                "it ends: a [2J b c", machine("a", "it ends: a\u001b[2J\0b\nc").reason());
        assertEquals(2_003, machine("a", "x".repeat(64 << 10)).reason().length());
    }
}
