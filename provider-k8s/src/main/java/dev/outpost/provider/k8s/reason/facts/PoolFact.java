package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The reason that Karpenter gives why a NodePool cannot help. */
public record PoolFact(SchedulingSymptom symptom, String text) {
    private static final Pattern POOL = Pattern.compile("(?:nodepool|provisioner):? \"([^\"]+)\"");
    private static final Pattern TAINT = Pattern.compile("did not tolerate (?:taint \\(taint=)?([^\\s;,)]+)");
    private static final Pattern LABEL = Pattern.compile("label \"([^\"]+)\" does not have known values");

    /** Returns the finding of a refusal: a reason for each pool, with semicolons between. */
    public static Finding finding(String opening, String refusal) {
        List<PoolFact> facts = Arrays.stream(refusal.split("; "))
                .map(PoolFact::of)
                .sorted(Comparator.comparing(PoolFact::symptom))
                .toList();
        String texts = facts.stream().map(PoolFact::text).distinct().collect(Collectors.joining(", "));
        return facts.getFirst().symptom().found(opening + texts);
    }

    private static PoolFact of(String part) {
        Matcher named = POOL.matcher(part);
        String pool = named.find() ? "NodePool " + named.group(1) : "a NodePool";
        Matcher taint = TAINT.matcher(part);
        if (part.contains("exceed limits")) {
            return new PoolFact(SchedulingSymptom.AT_MAXIMUM, pool + " is at its limits");
        }
        if (taint.find()) {
            return new PoolFact(SchedulingSymptom.GROUP_TAINTED, pool + " has the untolerated taint " + taint.group(1));
        }
        return part.contains("incompatible requirements") || part.contains("no instance type")
                ? new PoolFact(SchedulingSymptom.NO_GROUP_FITS, pool + " has no such nodes" + label(part))
                : new PoolFact(SchedulingSymptom.NO_SCALE_UP, part);
    }

    private static String label(String part) {
        Matcher matcher = LABEL.matcher(part);
        return matcher.find() ? " (it does not know the label " + matcher.group(1) + ")" : "";
    }
}
