package dev.outpost.cli.top;

import dev.outpost.channel.rpc.InstructionSnapshot;
import dev.outpost.channel.rpc.MemberSnapshot;
import dev.outpost.channel.rpc.SessionSnapshot;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.cli.support.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The screen for several machines, such as the members of a group: a line for each, then their latest instructions.
 * Rates are computed from two snapshots of a machine by the machine's own clock. Only formats text.
 */
final class GroupScreen {
    /**
     * Two snapshots of a machine.
     *
     * @param name the name that the user gave
     */
    record Look(String name, Snapshot before, Snapshot now) {
        /** Returns the machine, followed by the members of its sessions' groups. */
        static List<Look> withMembers(String name, Snapshot before, Snapshot now) {
            List<Look> looks = new ArrayList<>();
            looks.add(new Look(name, before, now));
            for (MemberSnapshot member : now.getMembersList()) {
                String of = "member " + member.getRank() + " of session " + member.getSession();
                looks.add(new Look(of, past(before, member), member.getSnapshot()));
            }
            return looks;
        }

        /**
         * Returns the earlier snapshot of a member, or the present snapshot if no earlier one exists, so that its
         * rates are 0.
         */
        private static Snapshot past(Snapshot before, MemberSnapshot member) {
            return before.getMembersList().stream()
                    .filter(past -> past.getSession() == member.getSession() && past.getRank() == member.getRank())
                    .map(MemberSnapshot::getSnapshot)
                    .findFirst()
                    .orElse(member.getSnapshot());
        }

        private double seconds() {
            return (now.getUptimeMillis() - before.getUptimeMillis()) / 1000.0;
        }

        private double rate(ToLongFunction<SessionSnapshot> counter) {
            long grown = 0;
            for (SessionSnapshot session : now.getSessionsList()) {
                grown += counter.applyAsLong(session) - counter.applyAsLong(TopScreen.past(before, session));
            }
            return seconds() <= 0 ? 0 : grown / seconds();
        }
    }

    private final int instructions;

    /** @param instructions the number of latest instructions of each machine to show */
    GroupScreen(int instructions) {
        this.instructions = instructions;
    }

    List<String> lines(List<Look> looks) {
        List<String> lines = new ArrayList<>(machines(looks).lines());
        if (looks.stream().anyMatch(look -> look.now().getInstructionsCount() > 0)) {
            lines.add("");
            lines.addAll(ran(looks).lines());
        }
        return lines;
    }

    private static TextTable machines(List<Look> looks) {
        TextTable table = new TextTable(
                "MACHINE",
                "ENGINE",
                "UP",
                "SESSIONS",
                "MEMORY",
                "SEGMENTS/S",
                "KERNELS/S",
                "BUSY",
                "WAITS",
                "IN/S",
                "OUT/S");
        looks.forEach(look -> table.row(row(look)));
        return table;
    }

    private static Object[] row(Look look) {
        return new Object[] {
            look.name(),
            TopScreen.clean(look.now().getEngine()),
            ShortNumbers.duration(look.now().getUptimeMillis()),
            look.now().getSessionsCount(),
            ShortNumbers.bytes(look.now().getLiveBytes()),
            ShortNumbers.count(look.rate(SessionSnapshot::getSegments)),
            ShortNumbers.count(look.rate(SessionSnapshot::getKernels)),
            ShortNumbers.share(look.rate(SessionSnapshot::getEngineNanos) / 1e9),
            ShortNumbers.share(look.rate(SessionSnapshot::getTurnWaitNanos) / 1e9),
            ShortNumbers.bytes((long) look.rate(session -> TopScreen.sum(session.getBytesInList()))),
            ShortNumbers.bytes((long) look.rate(session -> TopScreen.sum(session.getBytesOutList())))
        };
    }

    private TextTable ran(List<Look> looks) {
        TextTable table = new TextTable("MACHINE", "SESSION", "INSTRUCTION", "RESULT", "TIME");
        for (Look look : looks) {
            List<InstructionSnapshot> all = look.now().getInstructionsList();
            all.subList(Math.max(0, all.size() - instructions), all.size())
                    .forEach(ran -> table.row(
                            look.name(),
                            ran.getSession(),
                            TopScreen.clean(ran.getOp()),
                            TopScreen.clean(ran.getResult()),
                            ShortNumbers.micros(ran.getNanos())));
        }
        return table;
    }
}
