package dev.outpost.provider.k8s.config;

/** The kind of Service that clients from outside of the cluster use. */
public enum ServiceType {
    LOAD_BALANCER("LoadBalancer"),
    NODE_PORT("NodePort");

    private final String text;

    ServiceType(String text) {
        this.text = text;
    }

    /** Returns the name in Kubernetes. */
    public String text() {
        return text;
    }
}
