package dev.outpost.backend.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The bounds of all values that callers send. {@link BoundedJson} checks the bounds of any value while it reads a
 * body, so later code computes only with values of a bounded size. A resource checks the narrower bounds of its
 * fields before it uses them.
 */
public final class Bounds {
    // ---- any value of a body

    /** The maximum number of bytes of a body; also {@code quarkus.http.limits.max-body-size}. */
    public static final int BODY_BYTES = 256 * 1024;

    /** The deepest nesting of objects and lists. */
    static final int DEPTH = 16;

    /**
     * The maximum number of JSON tokens of a body: names, values, and the beginnings and ends of objects and lists.
     */
    static final int TOKENS = 100_000;

    /** The maximum number of characters of a text. */
    static final int TEXT = 64 * 1024;

    /** The maximum number of characters of the name of a field, or of a key of a map. */
    static final int FIELD = 200;

    /** The maximum number of characters of a number. */
    static final int NUMBER = 40;

    /** The largest whole number: JSON readers of other languages hold it exactly (RFC 7493). */
    static final long INTEGER = (1L << 53) - 1;

    /** The maximum number of digits of a decimal number on each side of the point. */
    static final int DIGITS = 18;

    /** The longest time span, in either direction. */
    static final Duration SPAN = Duration.ofDays(36_525);

    static final Instant EARLIEST = Instant.EPOCH;
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    // ---- fields

    public static final Duration LONGEST_LIFE = Duration.ofDays(366);
    public static final int MACHINE_SECRETS = 16;
    public static final int JOB_TEXTS = 200;
    public static final int JOB_TEXT = 8_000;
    public static final int JOB_RETRIES = 20;
    public static final int CRON = 200;
    public static final int ZONE = 60;
    public static final int SECRET = 32_000;
    public static final int FILE_PART_BYTES = 200 * 1024;
    public static final long FILE_BYTES = 512L << 20;
    public static final long LOG_BYTES = 64L << 20;
    public static final long ARTEFACT_BYTES = 256L << 20;
    public static final int ARTEFACTS = 1_000;
    public static final int ARTEFACT_PATH = 500;
    public static final int DEPLOYMENT_TARGET = 100_000;
    public static final Duration DEPLOYMENT_IDLE = Duration.ofDays(7);
    public static final int PROGRAM_VALUES = 256;
    public static final int PROGRAM_ROWS = 1 << 20;
    /** The maximum number of deployments of an organisation, and therefore of a gateway's report. */
    public static final int DEPLOYMENTS = 500;

    public static final int GATEWAY_REPLICAS = 2_000;
    public static final int GATEWAY_REQUESTS = 1_000_000;
    public static final int REPORTED_TEXT = 500;
    public static final int CAP = 1_000_000_000;
    public static final int THRESHOLDS = 20;
    public static final int PRICE = 1_000_000;
    public static final int MODEL = 200;
    public static final int USAGE_RECORDS = 1_000;
    public static final Duration WINDOW = Duration.ofDays(366);
    public static final int WEBHOOKS = 50;
    public static final int WEBHOOK_TYPES = 50;
    public static final int WEBHOOK_URL = 2_000;
    public static final int PRIORITY = 1_000;
    public static final int PROJECTS = 1_000;
    public static final int LOGIN_TEXT = 4_000;
    public static final int ID_TOKEN = 16_000;
    public static final Duration KEY_OVERLAP = Duration.ofDays(30);
    public static final int SCOPES = 10;
    public static final int CLUSTER_KINDS = 64;
    public static final int CLUSTER_OPTIONS = 64;
    public static final int CLUSTER_MACHINES = 100_000;
    public static final int WORKER_MACHINES = 100;
    public static final int WORKER_LISTED = 300;
    public static final int WORKER_USES = 100;
    public static final int WORKER_LABELS = 32;
    public static final int WORKER_LABEL = 500;
    public static final int WORKER_LINES = 5_000;
    public static final int PAGE = 500;
    public static final int IDEMPOTENCY_KEY = 200;
    public static final int WAIT_SECONDS = 30;

    private Bounds() {}

    private record Row(String what, String bound) {}

    private static Row row(String what, Object... bound) {
        StringBuilder text = new StringBuilder();
        for (Object part : bound) {
            text.append(part instanceof Number number ? String.format(java.util.Locale.ROOT, "%,d", number) : part);
        }
        return new Row(what, text.toString());
    }

    private static final List<Row> GENERAL = List.of(
            row("body", BODY_BYTES, " bytes, ", TOKENS, " JSON tokens, ", DEPTH, " levels"),
            row("text", TEXT, " characters; the name of a field or a key of a map ", FIELD),
            row("whole number", "from -(2^53 - 1) to 2^53 - 1"),
            row("decimal number", NUMBER, " characters, ", DIGITS, " digits before and behind the point"),
            row(
                    "time",
                    EARLIEST,
                    " to ",
                    LATEST.atOffset(java.time.ZoneOffset.UTC).getYear()),
            row("time span", SPAN.toDays(), " days"),
            row("path and headers", "4,096 bytes and 16,384 bytes"));

    private static final List<Row> FIELDS = List.of(
            row("name of a project, organisation, cluster, pool, deployment, schedule", "40 characters"),
            row("any other name, `owner`, `subject`", "200 characters"),
            row(
                    "`life`, `lease`, `idle`, `by`, `timeout` of machines and jobs",
                    "1 s to ",
                    LONGEST_LIFE.toDays(),
                    " days"),
            row("`secrets` of a machine", MACHINE_SECRETS),
            row("`arguments`, `environment`, `secrets` of a job", JOB_TEXTS, ", each of ", JOB_TEXT, " characters"),
            row("`retries`", JOB_RETRIES),
            row("`cron`, `zone`", CRON, " and ", ZONE, " characters"),
            row("`value` of a secret", SECRET, " characters"),
            row("file", FILE_BYTES, " bytes, in parts of ", FILE_PART_BYTES),
            row("log of a run", LOG_BYTES, " bytes"),
            row(
                    "files that a run leaves",
                    ARTEFACTS,
                    ", ",
                    ARTEFACT_BYTES,
                    " bytes, paths of ",
                    ARTEFACT_PATH,
                    " characters"),
            row("`max` of deployments and pools", dev.outpost.backend.model.deployment.Scale.MAX),
            row("`target`, `idle` of a deployment", DEPLOYMENT_TARGET, " and ", DEPLOYMENT_IDLE.toDays(), " days"),
            row(
                    "`inputs`, `outputs`, `mostRows` of a program",
                    PROGRAM_VALUES,
                    ", ",
                    PROGRAM_VALUES,
                    " and ",
                    PROGRAM_ROWS),
            row(
                    "report of a gateway",
                    DEPLOYMENTS,
                    " deployments, ",
                    GATEWAY_REPLICAS,
                    " replicas of each, `held` and `requests` ",
                    GATEWAY_REQUESTS,
                    ", `text` cut at ",
                    REPORTED_TEXT),
            row("`cap` of a budget, `thresholds`", CAP, " and ", THRESHOLDS),
            row("`perHour`, `perMillion...`, `perSecond`", PRICE),
            row("token usage", USAGE_RECORDS, " records, counts of 10^12 each"),
            row("window of a bill", WINDOW.toDays(), " days"),
            row(
                    "webhooks of an organisation",
                    WEBHOOKS,
                    ", `url` ",
                    WEBHOOK_URL,
                    " characters, ",
                    WEBHOOK_TYPES,
                    " `types`"),
            row("`priority` of a project", -PRIORITY, " to ", PRIORITY),
            row("`idToken`, other texts of a login", ID_TOKEN, " and ", LOGIN_TEXT, " characters"),
            row("projects of an organisation", PROJECTS),
            row("deployments of an organisation", DEPLOYMENTS),
            row("`overlap` of keys, `scopes`", KEY_OVERLAP.toDays(), " days and ", SCOPES),
            row(
                    "cluster",
                    CLUSTER_MACHINES,
                    " `machines`, ",
                    CLUSTER_KINDS,
                    " `gpus`, ",
                    CLUSTER_OPTIONS,
                    " `options`"),
            row(
                    "report of a worker host",
                    WORKER_LISTED,
                    " machines, ",
                    WORKER_USES,
                    " grants and ",
                    WORKER_LABELS,
                    " labels of ",
                    WORKER_LABEL,
                    " characters of each, ",
                    WORKER_LINES,
                    " lines of a log"),
            row("`limit` of a page", PAGE),
            row("`wait`", WAIT_SECONDS, " s"),
            row("`Idempotency-Key`", IDEMPOTENCY_KEY, " characters"));

    /** Returns the bounds as a table in Markdown, for the description of the API. */
    static String table() {
        StringBuilder text = new StringBuilder("| value | bound |\n|---|---|\n");
        GENERAL.forEach(row -> append(text, row));
        FIELDS.forEach(row -> append(text, row));
        return text.toString();
    }

    private static void append(StringBuilder text, Row row) {
        text.append("| ").append(row.what()).append(" | ").append(row.bound()).append(" |\n");
    }
}
