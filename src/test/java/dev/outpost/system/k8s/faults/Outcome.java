package dev.outpost.system.k8s.faults;

/** The outcomes of a disturbance. In all cases nothing of the machine is left at the end. */
enum Outcome {
    USABLE("usable", "the program continues to compute on the machine", 1),
    FAILED_START("start fails", "the start fails, and the exception states the reason", 1),
    LOST("lost", "the exception states why the machine was lost; the program gets no other machine", 1),
    SUCCESSOR("new machine", "the exception states why the machine was lost; new tensors are on another machine", 2),
    CLOSED("closed", "the call that closes the machine returns, and no object of the machine remains", 1),
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
