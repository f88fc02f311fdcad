package dev.outpost.provider.k8s.reason.text;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A taint that a pod does not tolerate, as the scheduler's message names it.
 *
 * @param name {@code key=value}, or the key alone; empty if the scheduler does not name the taint
 */
public record Taint(String name) {
    /**
     * The forms of the scheduler's message. Since Kubernetes 1.34 the message omits the taint, and before 1.24 its word order was
     * different.
     */
    private static final Pattern FORM =
            Pattern.compile("had (?:untolerated )?taint(?:\\(s\\))?(?: \\{([^:}]*)(?:: ?([^}]*))?\\})?");

    private static final Set<String> OF_THE_CONTROL_PLANE =
            Set.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master", "CriticalAddonsOnly");

    private static final Set<String> OF_STARTS_AND_ENDS = Set.of(
            "ToBeDeletedByClusterAutoscaler",
            "DeletionCandidateOfClusterAutoscaler",
            "karpenter.sh/unregistered",
            "karpenter.sh/disrupted",
            "karpenter.sh/disruption");

    public static Optional<Taint> in(String reason) {
        Matcher matcher = FORM.matcher(reason);
        return matcher.find() ? Optional.of(new Taint(name(matcher.group(1), matcher.group(2)))) : Optional.empty();
    }

    private static String name(String key, String value) {
        if (key == null) {
            return "";
        }
        return value == null || value.isEmpty() ? key : key + "=" + value;
    }

    public boolean isNamed() {
        return !name.isEmpty();
    }

    /** Returns true for a taint that keeps away all pods except the pods of the cluster itself. A machine should not tolerate it. */
    public boolean isOfTheControlPlane() {
        return OF_THE_CONTROL_PLANE.contains(key());
    }

    /** Returns true for a taint that marks a node as not ready for any pod, for now or permanently. */
    public boolean isOfTheNodesState() {
        return key().startsWith("node.kubernetes.io/")
                || key().startsWith("node.cloudprovider.kubernetes.io/")
                || OF_STARTS_AND_ENDS.contains(key());
    }

    private String key() {
        int end = name.indexOf('=');
        return end < 0 ? name : name.substring(0, end);
    }
}
