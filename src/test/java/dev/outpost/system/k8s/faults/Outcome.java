package dev.outpost.system.k8s.faults;

/** The outcomes of a disturbance. In all cases nothing of the machine is left at the end. */
enum Outcome {
    USABLE("usable", "the program computes on the machine without noticing the event", 1),
    FAILED_START("start fails", "the start fails, and the exception says why", 1),
    LOST("lost", "the exception says why the machine is gone; the program gets no other machine", 1),
    SUCCESSOR("new machine", "the exception says why the machine is gone; new tensors are on another machine", 2),
    CLOSED("closed", "closing the machine returns, and no object of it is left", 1),
    NOTHING_LEFT(
            "nothing left",
            "the pod ends after one lease; Kubernetes removes the Job and its objects after the Job's time",
            1),
    SWEPT("swept", "the Job never has a pod; the first start or sweep after five minutes removes it", 1),
    NOT_APPLICABLE("–", "the event cannot happen at this step", 0);

    private final String title;
    private final String meaning;
    private final int jobs;

    Outcome(String title, String meaning, int jobs) {
        this.title = title;
        this.meaning = meaning;
        this.jobs = jobs;
    }

    String title() {
        return title;
    }

    String meaning() {
        return meaning;
    }

    /** The number of created Jobs. */
    int jobs() {
        return jobs;
    }
}
