package dev.outpost.provider.k8s.config;

/** The policy by which a node pulls the image. */
public enum PullPolicy {
    ALWAYS("Always"),
    IF_NOT_PRESENT("IfNotPresent"),
    NEVER("Never");

    private final String text;

    PullPolicy(String text) {
        this.text = text;
    }

    /** Returns the name in Kubernetes. */
    public String text() {
        return text;
    }
}
