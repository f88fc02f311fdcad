package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The variables that a kubelet sets for Services: always for the API server, and as service links for the pod's namespace. */
final class ServiceVariables {
    /** The address for Services, because a simulated Service has none of its own. */
    private static final String ADDRESS = "10.96.0.10";

    private static final String API_ADDRESS = "10.96.0.1";
    private static final int API_PORT = 443;

    private ServiceVariables() {}

    /** Returns the variables of the Service {@code kubernetes}, which every pod gets. */
    static Map<String, String> ofApiServer() {
        Map<String, String> variables = new LinkedHashMap<>();
        ServicePort port = new ServicePort();
        port.setName("https");
        port.setPort(API_PORT);
        add(variables, "kubernetes", API_ADDRESS, List.of(port));
        return variables;
    }

    /** Returns the variables of the Services of a namespace. Headless Services have none. */
    static Map<String, String> ofNamespace(List<Service> services, String namespace) {
        Map<String, String> variables = new LinkedHashMap<>();
        services.stream()
                .filter(service -> service.getMetadata().getNamespace().equals(namespace))
                .filter(service -> !"None".equals(service.getSpec().getClusterIP()))
                .filter(service -> !service.getSpec().getPorts().isEmpty())
                .forEach(service -> add(
                        variables,
                        service.getMetadata().getName(),
                        Optional.ofNullable(service.getSpec().getClusterIP()).orElse(ADDRESS),
                        service.getSpec().getPorts()));
        return variables;
    }

    private static void add(Map<String, String> variables, String service, String address, List<ServicePort> ports) {
        String prefix = upper(service);
        variables.put(prefix + "_SERVICE_HOST", address);
        variables.put(prefix + "_SERVICE_PORT", String.valueOf(ports.getFirst().getPort()));
        for (ServicePort port : ports) {
            if (port.getName() != null) {
                variables.put(prefix + "_SERVICE_PORT_" + upper(port.getName()), String.valueOf(port.getPort()));
            }
        }
        variables.put(prefix + "_PORT", url(address, ports.getFirst()));
        ports.forEach(port -> addLink(variables, prefix, address, port));
    }

    private static void addLink(Map<String, String> variables, String prefix, String address, ServicePort port) {
        String link = prefix + "_PORT_" + port.getPort() + "_" + protocol(port);
        variables.put(link, url(address, port));
        variables.put(link + "_PROTO", protocol(port).toLowerCase(Locale.ROOT));
        variables.put(link + "_PORT", String.valueOf(port.getPort()));
        variables.put(link + "_ADDR", address);
    }

    private static String url(String address, ServicePort port) {
        String host = address.contains(":") ? "[" + address + "]" : address;
        return protocol(port).toLowerCase(Locale.ROOT) + "://" + host + ":" + port.getPort();
    }

    private static String protocol(ServicePort port) {
        return port.getProtocol() == null ? "TCP" : port.getProtocol();
    }

    private static String upper(String name) {
        return name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
