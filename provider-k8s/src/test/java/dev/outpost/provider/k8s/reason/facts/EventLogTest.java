package dev.outpost.provider.k8s.reason.facts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.reason.Fixture;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.EventSeriesBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events of the old and the new API fill different fields. */
@Tag("quick")
class EventLogTest {
    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withName("pod")
            .withUid("1")
            .endMetadata()
            .build();

    private static final EventSeries THRICE = new EventSeriesBuilder()
            .withCount(3)
            .withLastObservedTime(new MicroTime("2026-03-01T12:06:00.123456Z"))
            .build();

    private static EventBuilder event(String uid) {
        return new EventBuilder()
                .withReason("Pulling")
                .withNewInvolvedObject()
                .withKind("Pod")
                .withName("pod")
                .withUid(uid)
                .endInvolvedObject();
    }

    private static EventLog log(Event... events) {
        return EventLog.ofPod(ObservedMachine.of(null, POD, Fixture.NOW).with(Fixture.events(List.of(events))));
    }

    @Test
    void theLatestTimeOfAnyFieldCounts() {
        Event old = event("1")
                .withFirstTimestamp("2026-03-01T12:00:00Z")
                .withLastTimestamp("2026-03-01T12:05:00Z")
                .build();
        Event recent = event("1")
                .withEventTime(new MicroTime("2026-03-01T12:00:00.123456Z"))
                .withSeries(THRICE)
                .build();
        assertEquals(Instant.parse("2026-03-01T12:05:00Z"), EventLog.time(old));
        assertEquals(Instant.parse("2026-03-01T12:06:00.123456Z"), EventLog.time(recent));
        assertEquals(recent, log(recent, old).latest("Pulling").orElseThrow());
        assertEquals(
                Instant.EPOCH,
                EventLog.time(event("1").withLastTimestamp("soon").build()));
    }

    @Test
    void eventsOfAnEarlierPodAreLeftOut() {
        assertEquals(1, log(event("1").build(), event("2").build()).count(event -> true));
    }

    @Test
    void equalEventsAreFoldedIntoACount() {
        Event series = event("1").withSeries(THRICE).build();
        Event counted = event("1").withCount(4).build();
        assertEquals(8, log(series, counted, event("1").build()).count(event -> true));
    }
}
