/** Datasets of files: CSV, JSON lines, and text as tokens. */
package dev.outpost.models.data;
