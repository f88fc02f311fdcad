package dev.outpost.system.k8s.faults;

/** The outcomes of a machine that was disturbed. In the end nothing of it is left in any case. */
enum Outcome {
    USABLE("usable", "the program computes on the machine, as if nothing had been", 1),
    FAILED_START("start fails", "the program is told why there is no machine", 1),
    LOST("lost", "the program is told why the machine is gone, and gets no other", 1),
    SUCCESSOR("new machine", "the program is told why the machine is gone; new tensors are on another", 2),
    CLOSED("closed", "closing returns, and nothing is left", 1),
    NOTHING_LEFT("nothing left", "one lease later nothing runs, and after the Job's time nothing is there", 1),
    SWEPT(
            "swept",
            "nothing ever runs; the first start or sweep five minutes later removes the Job, which has no pod",
            1),
    NOT_APPLICABLE("–", "it cannot happen there", 0);

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

    /** How many Jobs are ever made. */
    int jobs() {
        return jobs;
    }
}
