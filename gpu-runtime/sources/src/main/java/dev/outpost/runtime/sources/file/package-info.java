/** Folders of the machine. */
package dev.outpost.runtime.sources.file;
