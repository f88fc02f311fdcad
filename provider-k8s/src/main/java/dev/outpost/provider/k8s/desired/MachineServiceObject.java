package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.AccessMode;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;

/** Makes a machine's Service. */
final class MachineServiceObject {
    private static final String HEADLESS = "None";

    private MachineServiceObject() {}

    static Service of(ObjectMeta metadata, KubernetesMachineSpec request, AccessMode accessMode) {
        return switch (accessMode) {
            case SERVICE -> exposed(metadata, request);
            case AUTO, POD_IP, PORT_FORWARD -> headless(metadata, request);
        };
    }

    /** Makes a Service that exposes only the session's port. The management port stays inside the cluster. */
    private static Service exposed(ObjectMeta metadata, KubernetesMachineSpec request) {
        return new ServiceBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withType(request.config().serviceType().text())
                .withSelector(MachineLabels.of(request.id()))
                .withPorts(port(MachineContainer.SESSION, MachineContainer.SESSION_PORT))
                .endSpec()
                .build();
    }

    private static Service headless(ObjectMeta metadata, KubernetesMachineSpec request) {
        return new ServiceBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withClusterIP(HEADLESS)
                .withSelector(MachineLabels.of(request.id()))
                .withPorts(
                        port(MachineContainer.SESSION, MachineContainer.SESSION_PORT),
                        port(MachineContainer.MANAGEMENT, MachineContainer.MANAGEMENT_PORT))
                .endSpec()
                .build();
    }

    private static ServicePort port(String name, int number) {
        return new ServicePortBuilder()
                .withName(name)
                .withPort(number)
                .withProtocol("TCP")
                .withTargetPort(new IntOrString(name))
                .build();
    }
}
