package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import dev.outpost.provider.k8s.reason.text.NodeCounts;
import dev.outpost.provider.k8s.reason.text.NodeCounts.Count;
import dev.outpost.provider.k8s.reason.text.Phrase;
import dev.outpost.provider.k8s.reason.text.Taint;
import dev.outpost.provider.k8s.reason.text.Wording;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The number of node groups that cannot help, with the reason that the cluster autoscaler gives. */
public record GroupFact(SchedulingSymptom symptom, int groups, Phrase phrase) {

    /** Returns the finding of the list in a {@code NotTriggerScaleUp} event. */
    public static Finding finding(String opening, String list) {
        List<GroupFact> facts = NodeCounts.parse(list).stream()
                .map(GroupFact::of)
                .sorted(Comparator.comparing(GroupFact::symptom))
                .toList();
        if (facts.isEmpty()) {
            return SchedulingSymptom.NO_SCALE_UP.found(opening + (list.isEmpty() ? "it does not say why" : list));
        }
        return facts.getFirst()
                .symptom()
                .found(opening + facts.stream().map(GroupFact::text).collect(Collectors.joining(", ")));
    }

    private static GroupFact of(Count count) {
        SchedulingSymptom symptom = symptom(count.reason());
        return new GroupFact(symptom, count.number(), phrase(symptom, count.reason()));
    }

    private String text() {
        return Wording.counted(groups, "node group", "node groups") + " " + phrase.of(groups);
    }

    private static SchedulingSymptom symptom(String reason) {
        if (reason.contains("max ") && (reason.endsWith(" reached") || reason.contains(" limit"))) {
            return SchedulingSymptom.AT_MAXIMUM;
        }
        if (reason.contains("in backoff")) {
            return SchedulingSymptom.SCALE_UP_FAILED;
        }
        if (Taint.in(reason).isPresent()) {
            return SchedulingSymptom.GROUP_TAINTED;
        }
        return NodeObstacle.isAffinity(reason) || reason.startsWith(NodeObstacle.INSUFFICIENT)
                ? SchedulingSymptom.NO_GROUP_FITS
                : SchedulingSymptom.NO_SCALE_UP;
    }

    private static Phrase phrase(SchedulingSymptom symptom, String reason) {
        return switch (symptom) {
            case AT_MAXIMUM -> Phrase.of("is", "are", "at the limit (" + reason + ")");
            case SCALE_UP_FAILED -> Phrase.of("rests", "rest", "after a start that failed");
            case GROUP_TAINTED -> Phrase.of("has", "have", "an untolerated taint" + name(reason));
            case NO_GROUP_FITS -> fit(reason);
            default -> Phrase.ofAny("(" + reason + ")");
        };
    }

    private static String name(String reason) {
        return Taint.in(reason)
                .filter(Taint::isNamed)
                .map(taint -> " (" + taint.name() + ")")
                .orElse("");
    }

    private static Phrase fit(String reason) {
        return NodeObstacle.isAffinity(reason)
                ? Phrase.of("has", "have", "nodes with other labels")
                : Phrase.of(
                        "has", "have", "nodes with too little " + reason.substring(NodeObstacle.INSUFFICIENT.length()));
    }
}
