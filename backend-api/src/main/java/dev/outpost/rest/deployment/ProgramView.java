package dev.outpost.rest.deployment;

import java.util.List;

/**
 * The API's view of a served program.
 *
 * @param file the SHA-256 of its file, in hex
 * @param gpu a kind of the catalogue, or {@code any}
 * @param inputs the dtype and shape of each input; of one row if calls are batched
 * @param outputs the dtype and shape of each output; of one row if calls are batched
 * @param mostRows the maximum number of rows in a batch; 0 if calls are not batched
 * @param text a sentence about its deployment, or the reason why the deployment does not serve
 */
public record ProgramView(
        String name,
        String project,
        String file,
        String gpu,
        List<String> inputs,
        List<String> outputs,
        int mostRows,
        String text) {}
