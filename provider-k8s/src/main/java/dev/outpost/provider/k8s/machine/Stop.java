package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.task.AdminOperation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.List;

/** Ends a machine of any user, or removes its remains. */
public final class Stop {
    private final AdminOperation operation;
    private final Cluster cluster;
    private final String id;

    public Stop(AdminOperation operation, String id) {
        this.operation = operation;
        this.cluster = operation.cluster();
        this.id = id;
    }

    public Void run() {
        boolean removed = remove(Job.class);
        // The Job deletes these objects with it. They are deleted here only if there is no Job.
        if (!removed && !(remove(Secret.class) | remove(Service.class) | removeTemplate())) {
            throw ClusterException.noMachine(id, cluster);
        }
        return null;
    }

    /** Deletes an object only if it belongs to the machine, because an unrelated object may have the same name. */
    private <T extends HasMetadata> boolean remove(Class<T> type) {
        return remove(type, operation.ask(() -> cluster.hasOne(type, id)));
    }

    /** Removes the claim template. Finds none if the cluster does not serve templates or the user may not list them. */
    private boolean removeTemplate() {
        List<ResourceClaimTemplate> templates =
                operation.ask(() -> cluster.devices().ofMachine(ResourceClaimTemplate.class, id));
        return remove(ResourceClaimTemplate.class, !templates.isEmpty());
    }

    private <T extends HasMetadata> boolean remove(Class<T> type, boolean isThere) {
        if (isThere) {
            operation.ask(() -> {
                cluster.delete(type, id);
                return true;
            });
        }
        return isThere;
    }
}
