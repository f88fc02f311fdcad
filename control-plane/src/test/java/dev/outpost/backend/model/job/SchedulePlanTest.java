package dev.outpost.backend.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.rest.job.Missed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the times of schedules. */
@Tag("quick")
class SchedulePlanTest {
    private static Instant at(String time) {
        return Instant.parse("2026-03-" + time + ":00Z");
    }

    private static JobSchedule schedule(Cron cron, Missed missed, boolean overlap, Instant next) {
        return new JobSchedule(
                "nightly",
                1,
                cron,
                missed,
                overlap,
                false,
                JobStateMachineTest.spec(0),
                Optional.of(next),
                Optional.empty(),
                "");
    }

    private static SchedulePlan plan(Missed missed, String now) {
        return SchedulePlan.of(schedule(new Cron("0 * * * *", "UTC"), missed, false, at("01T02:00")), false, at(now));
    }

    @Test
    void timeThatIsDueMakesOneJobAndNamesTheNext() {
        for (Missed missed : Missed.values()) {
            assertEquals(List.of(at("01T02:00")), plan(missed, "01T02:00").times());
        }
        assertEquals(Optional.of(at("01T03:00")), plan(Missed.SKIP, "01T02:00").next());
        assertEquals(List.of(), plan(Missed.ALL, "01T01:59").times());
    }

    @Test
    void missedTimesAreLeftOutOrMadeOnceOrAll() {
        assertEquals(List.of(), plan(Missed.SKIP, "01T05:30").times());
        assertEquals(List.of(at("01T05:00")), plan(Missed.ONCE, "01T05:30").times());
        assertEquals(
                List.of(at("01T02:00"), at("01T03:00"), at("01T04:00"), at("01T05:00")),
                plan(Missed.ALL, "01T05:30").times());
        assertEquals(
                "4 times were missed, the last one 2026-03-01T05:00:00Z",
                plan(Missed.SKIP, "01T05:30").text());
        assertEquals(100, plan(Missed.ALL, "30T00:00").times().size());
        assertEquals(List.of(at("01T05:00")), plan(Missed.SKIP, "01T05:00").times(), "the last one is met");
    }

    @Test
    void jobThatIsNotOverKeepsTheNextOneAway() {
        JobSchedule row = schedule(new Cron("0 * * * *", "UTC"), Missed.ONCE, false, at("01T02:00"));
        assertEquals(List.of(), SchedulePlan.of(row, true, at("01T02:00")).times());
        JobSchedule overlapping = schedule(new Cron("0 * * * *", "UTC"), Missed.ONCE, true, at("01T02:00"));
        assertEquals(
                1, SchedulePlan.of(overlapping, true, at("01T02:00")).times().size());
    }

    private static List<String> times(String cron, String from, int count) {
        Cron times = new Cron(cron, "Europe/Oslo");
        List<String> found = new ArrayList<>();
        Instant time = Instant.parse(from);
        for (int i = 0; i < count; i++) {
            time = times.after(time).orElseThrow();
            found.add(time.toString());
        }
        return found;
    }

    /** Clocks in Oslo went from 2 to 3 on 29 March 2026, at 1 o'clock UTC. */
    @Test
    void timesThatTheClockSkipsComeOnceAtTheNextTimeThatExists() {
        assertEquals(
                List.of("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
                times("30 2 * * *", "2026-03-27T12:00:00Z", 3));
        assertEquals(
                List.of("2026-03-29T00:40:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:20:00Z"),
                times("*/20 * * * *", "2026-03-29T00:20:00Z", 3));
        assertEquals(
                List.of("2026-03-29T01:00:00Z", "2026-03-30T00:10:00Z"),
                times("10,50 2 * * *", "2026-03-28T12:00:00Z", 2));
    }

    /** Clocks in Oslo went from 3 back to 2 on 25 October 2026, at 1 o'clock UTC. */
    @Test
    void timesThatTheClockRepeatsComeWhenItShowsThemFirst() {
        assertEquals(
                List.of("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
                times("30 2 * * *", "2026-10-24T12:00:00Z", 2));
        assertEquals(
                List.of("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"), times("0 * * * *", "2026-10-24T23:30:00Z", 2));
        assertEquals(List.of("2026-10-25T02:00:00Z"), times("0 * * * *", "2026-10-25T01:10:00Z", 1));
    }

    @Test
    void whatIsNoTimeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Cron("61 * * * *", "UTC"));
        assertThrows(IllegalArgumentException.class, () -> new Cron("* * * *", "UTC"));
        assertThrows(IllegalArgumentException.class, () -> new Cron("* * * * *", "Mars/Olympus"));
    }
}
