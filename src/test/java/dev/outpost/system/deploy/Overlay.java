package dev.outpost.system.deploy;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Path;
import java.util.Map;

/** The machines of those who take their settings from a file in {@code deploy/}. */
final class Overlay {
    private static final String ID = "outpost-a100-x7k2m9qd";
    private static final String UID = "0f1e2d3c-4b5a-4697-8877-665544332211";

    private final KubernetesMachineSpec request;

    private Overlay(KubernetesMachineSpec request) {
        this.request = request;
    }

    static Overlay of(Path settings) {
        Map<String, String> options = SettingsFile.options(SettingsFile.read(settings));
        KubernetesConfig config = SettingsReader.of(options);
        return new Overlay(new KubernetesMachineSpec(
                ID, GpuCatalogue.standard().find("A100"), new LifetimePolicy.ClientLease(), "ada@laptop", config));
    }

    static Overlay of(String name) {
        return of(DeployFolder.overlay(name).resolve(SettingsFile.NAME));
    }

    static Overlay base() {
        return of(DeployFolder.BASE.resolve(SettingsFile.NAME));
    }

    KubernetesConfig config() {
        return request.config();
    }

    Job job() {
        return DesiredState.job(request);
    }

    Map<String, String> podLabels() {
        return job().getSpec().getTemplate().getMetadata().getLabels();
    }

    Container container() {
        return job().getSpec().getTemplate().getSpec().getContainers().getFirst();
    }

    Service service(AccessMode accessMode) {
        return DesiredState.service(request, UID, accessMode);
    }
}
