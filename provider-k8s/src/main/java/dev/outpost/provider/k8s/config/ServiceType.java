package dev.outpost.provider.k8s.config;

/** The kind of Service that lets clients in from outside. */
public enum ServiceType {
    LOAD_BALANCER("LoadBalancer"),
    NODE_PORT("NodePort");

    private final String text;

    ServiceType(String text) {
        this.text = text;
    }

    /** As Kubernetes spells it. */
    public String text() {
        return text;
    }
}
