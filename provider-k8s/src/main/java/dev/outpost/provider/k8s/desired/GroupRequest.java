package dev.outpost.provider.k8s.desired;

/**
 * A request for a group of machines, which is fulfilled completely or not at all.
 *
 * @param machine one of the machines; its id is that of the group
 * @param members the number of machines, from 1 to {@value #MAX_MEMBERS}
 * @param isOnePod true if all members are containers of one pod, with GPUs of one node; otherwise each member is a pod
 */
public record GroupRequest(KubernetesMachineSpec machine, int members, boolean isOnePod) {
    /** The maximum number of members. Kubernetes' limits for ports, containers and Indexed Jobs are higher. */
    static final int MAX_MEMBERS = 1024;

    static final int MAX_IN_A_POD = 16;

    public GroupRequest {
        int max = isOnePod ? MAX_IN_A_POD : MAX_MEMBERS;
        if (members < 1 || members > max) {
            throw new IllegalArgumentException(
                    "gpuCount: expected 1 to " + max + (isOnePod ? " in one pod" : " machines") + ", got " + members);
        }
    }

    /** Returns the same group with another specification of its machines. */
    public GroupRequest with(KubernetesMachineSpec other) {
        return new GroupRequest(other, members, isOnePod);
    }

    /** Returns the number of GPUs of a pod of the group. */
    public int gpusOfAPod() {
        return isOnePod ? members : 1;
    }

    /** Returns the name of all objects of the group. */
    public String id() {
        return machine.id();
    }
}
