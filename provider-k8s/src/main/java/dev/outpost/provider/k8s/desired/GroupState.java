package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that a group of machines needs in the cluster. One Indexed Job has all members, so that Kueue admits all of them or none,
 * and the first member that ends also ends the others. The Job comes first and owns the other objects.
 */
public final class GroupState {
    /** The file that holds the group's grant. */
    static final String GRANT = "group";

    private GroupState() {}

    /** Returns the Job whose pods, or whose pod's containers, are the members. */
    public static Job job(GroupRequest group) {
        Job job = unpatched(group);
        return group.machine()
                .config()
                .patch()
                .map(patch -> JobPatch.apply(job, patch))
                .orElse(job);
    }

    static Job unpatched(GroupRequest group) {
        int pods = group.isOnePod() ? 1 : group.members();
        return new JobBuilder(MachineJob.of(group.machine()))
                .editSpec()
                .withCompletionMode("Indexed")
                .withCompletions(pods)
                .withParallelism(pods)
                .editTemplate()
                .withSpec(GroupPod.of(group))
                .endTemplate()
                .endSpec()
                .build();
    }

    /**
     * Refuses an invalid group without asking the cluster.
     *
     * @throws IllegalArgumentException if such a group cannot be described; the message names the setting
     */
    public static void check(GroupRequest group) {
        DesiredState.check(group.machine(), machine -> job(group.with(machine)));
    }

    /** Returns the name of a member's container in a pod that has all of them. */
    public static String container(int rank) {
        return GroupPod.name(rank);
    }

    /** Returns the Job in its initial form. It has no pods before it is {@linkplain SuspendedJob#release released}. */
    public static Job heldJob(GroupRequest group) {
        return SuspendedJob.of(job(group));
    }

    /**
     * Returns the Secret with the key of each member and the group's grant. A member's container can read only its
     * own key.
     *
     * @param keys the keys of the members, by rank
     * @param grant the secret by which the members recognise each other
     */
    public static Secret secret(GroupRequest group, List<MachineKey> keys, String grant, String jobUid) {
        if (keys.size() != group.members()) {
            throw new IllegalArgumentException("group: expected " + group.members() + " keys, got " + keys.size());
        }
        Map<String, String> data = new LinkedHashMap<>();
        for (int rank = 0; rank < keys.size(); rank++) {
            for (Map.Entry<String, String> entry : keys.get(rank).data().entrySet()) {
                data.put(key(rank, entry.getKey()), entry.getValue());
            }
        }
        data.put(GRANT, Base64.getEncoder().encodeToString(grant.getBytes(StandardCharsets.UTF_8)));
        return new SecretBuilder()
                .withMetadata(owned(group, jobUid))
                .withType("Opaque")
                .withData(data)
                .build();
    }

    /** Returns the key of the Secret for a file of a member. */
    static String key(int rank, String file) {
        return rank + "." + file;
    }

    /**
     * Returns the headless Service by which the members and the client find each member by its name, ready or not.
     */
    public static Service service(GroupRequest group, String jobUid) {
        return new ServiceBuilder()
                .withMetadata(owned(group, jobUid))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(MachineLabels.of(group.id()))
                .withPorts(new ServicePortBuilder()
                        .withName(MachineContainer.SESSION)
                        .withPort(MachineContainer.SESSION_PORT)
                        .withProtocol("TCP")
                        .build())
                .endSpec()
                .build();
    }

    /**
     * Allows the members to reach each other at any port, because they listen at any free port. Other hosts may reach only the session and
     * management ports. Outgoing connections are allowed to the members and to DNS. Other destinations, such as stores, need a policy of
     * the namespace.
     */
    public static NetworkPolicy policy(GroupRequest group, String jobUid) {
        LabelSelector members = new LabelSelector(null, MachineLabels.of(group.id()));
        NetworkPolicyPeer member =
                new NetworkPolicyPeerBuilder().withPodSelector(members).build();
        return new NetworkPolicyBuilder()
                .withMetadata(owned(group, jobUid))
                .withNewSpec()
                .withPodSelector(members)
                .withPolicyTypes("Ingress", "Egress")
                .addNewIngress()
                .addToFrom(member)
                .endIngress()
                .addNewIngress()
                .addAllToPorts(GroupPod.openPorts(group))
                .endIngress()
                .addNewEgress()
                .addToTo(member)
                .endEgress()
                .addNewEgress()
                .addAllToPorts(GroupPod.namePorts())
                .endEgress()
                .endSpec()
                .build();
    }

    /**
     * Returns the Service by which clients from outside of the cluster reach one member.
     *
     * @param jobUid the uid of the group's Job
     */
    public static Service exposed(GroupRequest group, int rank, String jobUid) {
        Map<String, String> selected = new LinkedHashMap<>(MachineLabels.of(group.id()));
        if (!group.isOnePod()) {
            selected.put(MachineLabels.INDEX, String.valueOf(rank));
        }
        return new ServiceBuilder()
                .withMetadata(owned(group, jobUid))
                .editMetadata()
                .withName(exposed(group, rank))
                .endMetadata()
                .withNewSpec()
                .withType(group.machine().config().serviceType().text())
                .withSelector(selected)
                .withPorts(new ServicePortBuilder()
                        .withName(MachineContainer.SESSION)
                        .withPort(MachineContainer.SESSION_PORT)
                        .withProtocol("TCP")
                        .withTargetPort(new IntOrString(port(group, rank)))
                        .build())
                .endSpec()
                .build();
    }

    /** Returns the name of the Service by which clients from outside of the cluster reach one member. */
    public static String exposed(GroupRequest group, int rank) {
        return group.id() + "-" + rank;
    }

    /** Returns the host name of a member within the cluster. */
    public static String host(GroupRequest group, int rank, String namespace) {
        int pod = group.isOnePod() ? 0 : rank;
        return group.id() + "-" + pod + "." + group.id() + "." + namespace + ".svc";
    }

    /** Returns the port of a member's sessions at its host. */
    public static int port(GroupRequest group, int rank) {
        return group.isOnePod() ? GroupPod.sessionPort(rank) : MachineContainer.SESSION_PORT;
    }

    private static ObjectMeta owned(GroupRequest group, String jobUid) {
        return DesiredState.owned(group.machine(), jobUid);
    }
}
