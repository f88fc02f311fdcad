package dev.outpost.provider.k8s.reason.symptom;

/** The consequence of a symptom. */
public enum SymptomOutcome {
    /** Nothing is wrong. */
    GOES_ON("goes on"),
    /** It may yet pass: the start goes on until its timeout, which repeats the sentence. */
    WAITS("waits"),
    /** The start fails at once. */
    FINAL("final"),
    /** The start fails when it is seen a second time; new nodes often fail once. */
    FINAL_WHEN_REPEATED("final when repeated"),
    /** The machine is lost. */
    ENDS("ends"),
    /** The machine was given up, as agreed for one that is not used. */
    ENDS_IDLE("ends, idle"),
    /** The request to the API server is made again. */
    RETRIED("retried"),
    /** The request is made once more, with credentials that were read anew. */
    RETRIED_ONCE("retried once"),
    /** The request is made again for some seconds. */
    RETRIED_BRIEFLY("retried for seconds");

    private final String title;

    SymptomOutcome(String title) {
        this.title = title;
    }

    /** As the troubleshooting page says it. */
    public String title() {
        return title;
    }
}
