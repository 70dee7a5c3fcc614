// Command temporal runs Temporal's server, its UI and its schema tool on PostgreSQL from one executable, so that the
// dependencies that they share are compiled and linked once. The stores and the SDK's command line, which are not used, are
// not compiled.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	_ "time/tzdata" // schedules name time zones, and a machine may have no zone files

	"github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/server_options"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/common/log"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql" // registers the plugins postgres12 and postgres12_pgx
	"go.temporal.io/server/temporal"
	"go.temporal.io/server/tools/common/schema"
	sqltool "go.temporal.io/server/tools/sql"
)

const usage = `usage:
  temporal setup-schema CONFIG                 bring both databases to this version's schema
  temporal start CONFIG [SERVICE...]           run the server: frontend, history, matching and worker unless named
  temporal ui HOST PORT FRONTEND_ADDRESS       run the UI
  temporal validate-dynamic-config FILE        report unknown keys and wrong types
  temporal --version
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "--version":
		fmt.Println("carecover-temporal " + headers.ServerVersion)
		return nil
	case len(args) == 2 && args[0] == "setup-schema":
		return setupSchema(args[1])
	case len(args) >= 2 && args[0] == "start":
		return start(args[1], args[2:])
	case len(args) == 4 && args[0] == "ui":
		return startUI(args[1], args[2], args[3])
	case len(args) == 2 && args[0] == "validate-dynamic-config":
		return validateDynamicConfig(args[1])
	}
	return errors.New(usage)
}

func start(file string, services []string) error {
	cfg, err := config.Load(config.WithConfigFile(file))
	if err != nil {
		return err
	}
	if len(services) == 0 {
		services = temporal.DefaultServices
	}
	s, err := temporal.NewServer(
		temporal.ForServices(services),
		temporal.WithConfig(cfg),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(cfg.Log))),
		temporal.InterruptOn(temporal.InterruptCh()),
		// The server authenticates no client, so its ports must be reachable only on a loopback address or in a private network.
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
	)
	if err != nil {
		return err
	}
	return s.Start()
}

func setupSchema(file string) error {
	cfg, err := config.Load(config.WithConfigFile(file))
	if err != nil {
		return err
	}
	logger := log.NewZapLogger(log.BuildZapLogger(cfg.Log))
	for store, name := range map[string]string{
		cfg.Persistence.DefaultStore:    "postgresql/v12/temporal",
		cfg.Persistence.VisibilityStore: "postgresql/v12/visibility",
	} {
		db, err := sqltool.NewConnection(cfg.Persistence.DataStores[store].SQL, logger)
		if err != nil {
			return err
		}
		defer db.Close()
		// Creates the version tables if they are missing, and otherwise changes nothing.
		if err := schema.NewSetupSchemaTask(db, &schema.SetupConfig{InitialVersion: "0.0"}, logger).Run(); err != nil {
			return err
		}
		if err := schema.NewUpdateSchemaTask(db, &schema.UpdateConfig{SchemaName: name}, logger).Run(); err != nil {
			return err
		}
	}
	return nil
}

func startUI(host, port, frontend string) error {
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	return server.NewServer(server_options.WithConfigProvider(&uiconfig.Config{
		Host:                host,
		Port:                number,
		TemporalGRPCAddress: frontend,
		EnableUI:            true,
		CORS:                uiconfig.CORS{CookieInsecure: true},
		HideLogs:            true,
		DisableNewsFetch:    true,
		// Of all actions, the UI offers Terminate: see docs/operators/finding-things.md.
		WorkflowCancelDisabled:   true,
		WorkflowResetDisabled:    true,
		WorkflowSignalDisabled:   true,
		WorkflowUpdateDisabled:   true,
		WorkflowPauseDisabled:    true,
		StartWorkflowDisabled:    true,
		BatchActionsDisabled:     true,
		ActivityCommandsDisabled: true,
	})).Start()
}

func validateDynamicConfig(file string) error {
	contents, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	result := dynamicconfig.LoadYamlFile(contents)
	var found []string
	for _, problem := range append(result.Errors, result.Warnings...) {
		found = append(found, problem.Error())
	}
	if len(found) > 0 {
		return errors.New(strings.Join(found, "\n"))
	}
	return nil
}
