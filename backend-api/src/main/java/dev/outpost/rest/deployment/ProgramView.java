package dev.outpost.rest.deployment;

import java.util.List;

/**
 * A program that is served.
 *
 * @param file the SHA-256 of its file
 * @param inputs the dtypes and shapes of its inputs; where calls are batched, of one row
 * @param outputs those of what it answers
 * @param mostRows how many rows are computed at once; 0 where calls are not batched
 * @param text a sentence: what its deployment does, or why it does not serve
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
