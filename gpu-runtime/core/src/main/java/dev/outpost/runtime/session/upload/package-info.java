/** Uploads: elements that arrive from clients. */
package dev.outpost.runtime.session.upload;
