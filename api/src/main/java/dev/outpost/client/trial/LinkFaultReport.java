package dev.outpost.client.trial;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the machine that another machine's fault names as the cause. */
public final class LinkFaultReport {
    /** The part of an exchange's fault that names the other machine. */
    private static final Pattern ACCUSED = Pattern.compile("member (\\d{1,4}) (?:sent|took|did not come|is gone)");

    private LinkFaultReport() {}

    /**
     * Returns the machine that a fault names last. Machines that only pass the fault on are named earlier in its text.
     *
     * @param members the machines, by rank
     */
    public static Optional<LinkDiagnosis> of(List<ProbedMachine> members, String fault) {
        Matcher named = ACCUSED.matcher(fault);
        Optional<ProbedMachine> accused = Optional.empty();
        while (members.size() > 1 && named.find()) {
            int rank = Integer.parseInt(named.group(1));
            accused = rank < members.size() ? Optional.of(members.get(rank)) : accused;
        }
        return accused.map(probed -> new LinkDiagnosis(probed, fault));
    }
}
