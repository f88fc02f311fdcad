package dev.outpost.serving.engine;

/**
 * A model and its name in requests.
 *
 * @param name such as {@code SmolLM2-135M}
 * @param uri the location of its files
 */
record ModelName(String name, String uri) {
    /** Reads {@code NAME=URI}, or a URI whose last part is the name. */
    static ModelName parse(String text) {
        int equals = text.indexOf('=');
        int scheme = text.indexOf(':');
        if (equals > 0 && (scheme < 0 || equals < scheme)) {
            return new ModelName(
                    text.substring(0, equals).strip(),
                    text.substring(equals + 1).strip());
        }
        String path = text.strip().replaceAll("/+$", "");
        int from = Math.max(path.lastIndexOf('/'), path.indexOf(':')) + 1;
        if (from >= path.length()) {
            throw new IllegalArgumentException("model: expected URI or NAME=URI, got \"" + text + "\"");
        }
        return new ModelName(path.substring(from), path);
    }
}
