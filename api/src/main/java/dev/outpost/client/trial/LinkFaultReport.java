package dev.outpost.client.trial;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The word of a machine against another one. */
public final class LinkFaultReport {
    /** How the fault of an exchange names the other machine. */
    private static final Pattern ACCUSED = Pattern.compile("member (\\d{1,4}) (?:sent|took|did not come|is gone)");

    private LinkFaultReport() {}

    /**
     * The machine that a fault names last, since a machine that passes it on names itself before.
     *
     * @param members by rank
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
