/** Sources in folders of the machine. */
package dev.outpost.runtime.source.file;
