package dev.outpost.cli.top;

import dev.outpost.channel.rpc.InstructionSnapshot;
import dev.outpost.channel.rpc.SessionSnapshot;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.cli.support.TextTable;
import dev.outpost.protocol.message.PeerText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The screen for a machine: one snapshot, and rates since the previous one. Only formats text. */
final class TopScreen {
    /** The maximum number of characters of a machine's text, so that it fits into a line. */
    private static final int MAX_OF_A_TEXT = 200;

    private final int instructions;

    /** @param instructions the number of latest instructions to show */
    TopScreen(int instructions) {
        this.instructions = instructions;
    }

    List<String> lines(Snapshot before, Snapshot now) {
        List<String> lines = new ArrayList<>();
        lines.add("outpost " + clean(now.getVersion()) + "  " + clean(now.getEngine()) + " (" + clean(now.getDevice())
                + ")  up " + ShortNumbers.duration(now.getUptimeMillis())
                + (now.getDraining() ? "  SHUTTING DOWN" : ""));
        lines.add("sessions " + now.getSessionsCount() + " of " + now.getMaxSessions() + "  memory "
                + ShortNumbers.bytes(now.getLiveBytes()) + ", quota " + ShortNumbers.bytes(now.getQuotaBytes())
                + " a session  plans " + now.getPlans());
        lines.add("");
        lines.addAll(sessions(before, now).lines());
        if (now.getInstructionsCount() > 0) {
            lines.add("");
            lines.addAll(stream(now));
        }
        return lines;
    }

    static String clean(String text) {
        return PeerText.clean(text, MAX_OF_A_TEXT);
    }

    private static TextTable sessions(Snapshot before, Snapshot now) {
        double seconds = (now.getUptimeMillis() - before.getUptimeMillis()) / 1000.0;
        TextTable table = new TextTable(
                "SESSION",
                "AGE",
                "CLIENT",
                "MEMORY",
                "VALUES",
                "QUEUE",
                "SEGMENTS/S",
                "KERNELS/S",
                "BUSY",
                "WAITS",
                "IN/S",
                "OUT/S");
        for (SessionSnapshot session : now.getSessionsList()) {
            table.row(row(new Rates(past(before, session), session, seconds), session));
        }
        return table;
    }

    /** Returns the session in the earlier snapshot, or a session without counters if it did not exist then. */
    static SessionSnapshot past(Snapshot before, SessionSnapshot session) {
        return before.getSessionsList().stream()
                .filter(earlier -> earlier.getNumber() == session.getNumber())
                .findFirst()
                .orElse(SessionSnapshot.getDefaultInstance());
    }

    private static Object[] row(Rates rates, SessionSnapshot session) {
        return new Object[] {
            session.getNumber(),
            ShortNumbers.duration(session.getAgeMillis()),
            session.getConnected() ? "here" : "away",
            ShortNumbers.bytes(session.getLiveBytes()),
            session.getLiveValues(),
            session.getQueuedMessages(),
            ShortNumbers.count(rates.of(SessionSnapshot::getSegments)),
            ShortNumbers.count(rates.of(SessionSnapshot::getKernels)),
            ShortNumbers.share(rates.of(SessionSnapshot::getEngineNanos) / 1e9),
            ShortNumbers.share(rates.of(SessionSnapshot::getTurnWaitNanos) / 1e9),
            ShortNumbers.bytes((long) rates.of(s -> sum(s.getBytesInList()))),
            ShortNumbers.bytes((long) rates.of(s -> sum(s.getBytesOutList())))
        };
    }

    static long sum(List<Long> bytes) {
        return bytes.stream().mapToLong(Long::longValue).sum();
    }

    private List<String> stream(Snapshot now) {
        List<InstructionSnapshot> all = now.getInstructionsList();
        List<InstructionSnapshot> last = all.subList(Math.max(0, all.size() - instructions), all.size());
        TextTable table = new TextTable("SESSION", "INSTRUCTION", "RESULT", "TIME");
        last.forEach(ran -> table.row(
                ran.getSession(), clean(ran.getOp()), clean(ran.getResult()), ShortNumbers.micros(ran.getNanos())));
        List<String> lines = new ArrayList<>(table.lines());
        long hidden = now.getInstructionsLeftOut() + all.size() - last.size();
        if (hidden > 0) {
            lines.add("and " + hidden + " more since the last look");
        }
        return lines;
    }

    /** The increases per second of a session's counters. */
    private record Rates(SessionSnapshot past, SessionSnapshot now, double seconds) {
        double of(ToLongFunction<SessionSnapshot> counter) {
            return seconds <= 0 ? 0 : (counter.applyAsLong(now) - counter.applyAsLong(past)) / seconds;
        }
    }
}
