package dev.outpost.provider.k8s.config;

/** When a node pulls the image. */
public enum PullPolicy {
    ALWAYS("Always"),
    IF_NOT_PRESENT("IfNotPresent"),
    NEVER("Never");

    private final String text;

    PullPolicy(String text) {
        this.text = text;
    }

    /** As Kubernetes spells it. */
    public String text() {
        return text;
    }
}
