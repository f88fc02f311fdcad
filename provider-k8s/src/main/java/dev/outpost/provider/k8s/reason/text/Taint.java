package dev.outpost.provider.k8s.reason.text;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A taint that a pod does not tolerate, as the scheduler names it.
 *
 * @param name {@code key=value}, or the key alone; empty where the scheduler does not say which taint it is
 */
public record Taint(String name) {
    /** Since 1.34 the scheduler leaves the taint out; before 1.24 it wrote the sentence another way round. */
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

    /** Keeps all but the cluster's own pods away; nobody should tolerate it for a machine. */
    public boolean isOfTheControlPlane() {
        return OF_THE_CONTROL_PLANE.contains(key());
    }

    /** Stands for a node that is not yet, or no longer, fit for any pod. */
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
