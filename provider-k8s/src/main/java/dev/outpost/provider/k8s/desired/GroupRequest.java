package dev.outpost.provider.k8s.desired;

/**
 * Machines that somebody wants all of or none.
 *
 * @param machine one of them; its id is that of the group
 * @param members how many, from 1 to {@value #MAX_MEMBERS}
 * @param isOnePod whether they are GPUs of one node, in one pod with a container each; else each member is a pod
 */
public record GroupRequest(KubernetesMachineSpec machine, int members, boolean isOnePod) {
    /** Ports and containers of one pod, and Indexed Jobs whose pods are all told of, bear more. */
    static final int MAX_MEMBERS = 1024;

    static final int MAX_IN_A_POD = 16;

    public GroupRequest {
        int max = isOnePod ? MAX_IN_A_POD : MAX_MEMBERS;
        if (members < 1 || members > max) {
            throw new IllegalArgumentException(
                    "gpuCount: expected 1 to " + max + (isOnePod ? " in one pod" : " machines") + ", got " + members);
        }
    }

    /** The same group of other machines. */
    public GroupRequest with(KubernetesMachineSpec other) {
        return new GroupRequest(other, members, isOnePod);
    }

    /** How many GPUs a pod of the group has. */
    public int gpusOfAPod() {
        return isOnePod ? members : 1;
    }

    /** What everything of the group is called. */
    public String id() {
        return machine.id();
    }
}
