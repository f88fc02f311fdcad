package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.api.Verb;

/** The step of a machine's life, and the next request of its client. */
enum MachineStep {
    BEFORE_CREATE("before create", "the client is about to create the Job", Verb.PATCH, "jobs"),
    AFTER_CREATE(
            "after create",
            "the Job exists; it gets a pod when its Secret with the machine's key exists",
            Verb.PATCH,
            "secrets"),
    BEFORE_READY("before ready", "the pod runs, but is not ready", Verb.LIST, "pods"),
    FIRST_SESSION("first session", "the pod is ready, but it has no open session", Verb.LIST, "pods"),
    MID_SEGMENT("mid-segment", "the program records operations and reads results without a pause", Verb.LIST, "pods"),
    DURING_DELETE(
            "during delete",
            "the program has closed the machine, and the client is about to delete the Job",
            Verb.DELETE,
            "jobs");

    private final String title;
    private final String meaning;
    private final Verb verb;
    private final String resource;

    MachineStep(String title, String meaning, Verb verb, String resource) {
        this.title = title;
        this.meaning = meaning;
        this.verb = verb;
        this.resource = resource;
    }

    String title() {
        return title;
    }

    String meaning() {
        return meaning;
    }

    Verb verb() {
        return verb;
    }

    String resource() {
        return resource;
    }

    /** Returns true if the step is made by a request; otherwise the client only polls. */
    boolean isRequest() {
        return verb != Verb.LIST;
    }
}
