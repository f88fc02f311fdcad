package dev.outpost.provider.k8s.reason.symptom;

/** The consequence of a symptom. */
public enum SymptomOutcome {
    /** Nothing is wrong. */
    GOES_ON("goes on"),
    /** The problem may pass: the start continues until its timeout, whose message repeats the sentence. */
    WAITS("waits"),
    /** The start fails immediately. */
    FINAL("final"),
    /** The start fails if the symptom occurs a second time, because new nodes often fail once. */
    FINAL_WHEN_REPEATED("final when repeated"),
    /** The machine is lost. */
    ENDS("ends"),
    /** The machine ended because it was not used for the agreed time. */
    ENDS_IDLE("ends, idle"),
    /** The request to the API server is repeated. */
    RETRIED("retried"),
    /** The request is repeated once, with credentials that are read again. */
    RETRIED_ONCE("retried once"),
    /** The request is repeated for some seconds. */
    RETRIED_BRIEFLY("retried for seconds");

    private final String title;

    SymptomOutcome(String title) {
        this.title = title;
    }

    /** Returns the title in the troubleshooting page. */
    public String title() {
        return title;
    }
}
