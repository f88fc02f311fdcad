package dev.outpost.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The names of components are read, and unknown ones are reported. */
class DebugLogTest {
    private final List<String> problems = new ArrayList<>();

    private Set<DebugLog> parse(String setting) {
        return DebugLog.parse(setting, problems::add);
    }

    @Test
    void namesTurnComponentsOn() {
        assertEquals(Set.of(), parse(""));
        assertEquals(Set.of(DebugLog.CLIENT, DebugLog.WIRE), parse("client, Wire,"));
        assertEquals(EnumSet.allOf(DebugLog.class), parse("all"));
        assertEquals(List.of(), problems);
    }

    @Test
    void unknownNamesAreReportedAndTheOthersCount() {
        assertEquals(Set.of(DebugLog.MACHINE), parse("machine,planer"));
        assertEquals(
                List.of(
                        "outpost: OUTPOST_DEBUG: no component is called \"planer\"; there are client, wire, planner, groups,"
                                + " machine and all"),
                problems);
    }
}
