// Command linearizability-checker checks recorded histories of the API against models of its resources, with porcupine. It prints a
// summary as JSON on the standard output, and an explanation of each violation on the standard error output.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const usage = `usage:
  linearizability-checker HISTORY [FOLDER]   check a history; FOLDER receives a visualization of each violation
  linearizability-checker --version
`

// timeout is the time for the check of one partition.
const timeout = 2 * time.Minute

// excerptLength is the number of operations that an explanation shows before the response that no order of the operations explains.
const excerptLength = 8

// Summary is the result of a check.
type Summary struct {
	Operations int            `json:"operations"`
	Open       int            `json:"open"` // the number of operations without a known outcome
	Partitions map[string]int `json:"partitions"`
	Illegal    []string       `json:"illegal"`   // the model and resource of each partition that is not linearizable
	Undecided  []string       `json:"undecided"` // the model and resource of each partition whose check reached the timeout
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "--version" {
		build, _ := debug.ReadBuildInfo()
		for _, module := range build.Deps {
			fmt.Println("linearizability-checker " + module.Path + " " + module.Version)
		}
		return nil
	}
	if len(args) != 1 && len(args) != 2 {
		return errors.New(usage)
	}
	lines, faults, err := readHistory(args[0])
	if err != nil {
		return err
	}
	all, err := partitions(lines)
	if err != nil {
		return err
	}
	summary := Summary{Operations: len(lines), Partitions: map[string]int{}, Illegal: []string{}, Undecided: []string{}}
	for _, line := range lines {
		if line.unknown() {
			summary.Open++
		}
	}
	for _, each := range all {
		summary.Partitions[each.model]++
		name := each.model + " " + each.resource
		result, info := porcupine.CheckOperationsVerbose(modelOf(each.model), operations(each.lines), timeout)
		switch result {
		case porcupine.Unknown:
			summary.Undecided = append(summary.Undecided, name)
		case porcupine.Illegal:
			summary.Illegal = append(summary.Illegal, name)
			explain(each, name)
			if len(args) == 2 {
				path := filepath.Join(args[1], strings.ReplaceAll(name, " ", "-")+".html")
				info.AddAnnotations(annotations(faults))
				if err := porcupine.VisualizePath(modelOf(each.model), info, path); err != nil {
					return err
				}
				fmt.Fprintln(os.Stderr, "  visualization:", path)
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(summary)
}

// explain prints the shortest beginning of a history that is impossible: its last response is the first one that no order of the
// operations explains.
func explain(each partition, name string) {
	model := modelOf(each.model)
	var ends []int64
	for _, line := range each.lines {
		if !line.unknown() {
			ends = append(ends, *line.Return)
		}
	}
	slices.Sort(ends)
	at, _ := slices.BinarySearchFunc(ends, true, func(end int64, _ bool) int {
		result := porcupine.CheckOperationsTimeout(model, operations(before(each.lines, end)), timeout)
		if result == porcupine.Illegal {
			return 0
		}
		return -1
	})
	if at == len(ends) {
		return
	}
	known := before(each.lines, ends[at])
	_, info := porcupine.CheckOperationsVerbose(model, operations(known), timeout)
	fmt.Fprintf(os.Stderr, "%s is not linearizable.\n", name)
	var longest []porcupine.Operation
	for _, order := range slices.Concat(info.PartialLinearizationsOperations()...) {
		if len(order) > len(longest) {
			longest = order
		}
	}
	current := initialStates[each.model]
	fmt.Fprintln(os.Stderr, "  an order that explains the most responses (the last ones):")
	for index, operation := range longest {
		line := operation.Input.(Line)
		_, current = current.step(line)
		if index >= len(longest)-excerptLength {
			fmt.Fprintf(os.Stderr, "    %s\n", format(line))
		}
	}
	fmt.Fprintf(os.Stderr, "  the state then: %s\n  not explained:\n", current.describe())
	for _, line := range known {
		isExplained := slices.ContainsFunc(longest, func(operation porcupine.Operation) bool {
			explained := operation.Input.(Line)
			return explained.Call == line.Call && explained.end() == line.end() && explained.Client == line.Client
		})
		if !isExplained && !line.unknown() {
			fmt.Fprintf(os.Stderr, "    %s\n", format(line))
		}
	}
}

func format(line Line) string {
	end := "open"
	if !line.unknown() {
		end = fmt.Sprintf("%.3f", float64(*line.Return)/1e6)
	}
	return fmt.Sprintf("%.3f to %s s, client %d: %s", float64(line.Call)/1e6, end, line.Client, describe(line))
}

func describe(line Line) string {
	request := strings.TrimSpace(line.Op + " " + line.ID)
	if line.Op == "adjudicate" || line.Op == "remit" {
		request += fmt.Sprintf(" %d", line.Amount)
	}
	if line.Cutoff != "" {
		request += " at " + line.Cutoff
	}
	if line.Key != "" {
		request += " key " + line.Key[:min(8, len(line.Key))]
	}
	if line.unknown() {
		return request + " -> unknown"
	}
	response := fmt.Sprint(line.Status)
	if line.Code != "" {
		response += " " + line.Code
	}
	if line.Replayed {
		response += " replayed"
	}
	seen, _ := json.Marshal(line.Seen)
	if line.succeeded() {
		response += " " + string(seen)
	}
	return request + " -> " + response
}

func annotations(faults []Line) []porcupine.Annotation {
	var all []porcupine.Annotation
	for _, fault := range faults {
		all = append(all, porcupine.Annotation{Tag: "faults", Start: fault.Call, End: fault.end(), Description: fault.Fault})
	}
	return all
}
